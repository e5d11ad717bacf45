import { strongETag } from '../../src/edition/etag.ts';
import type { EditionSignature } from '../../src/edition/signature.ts';
import { EDITION_KEY_PATH } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { createEdition, openEdition, type Edition } from './edition.ts';
import {
  editionDigest,
  isKept,
  keepSignature,
  readLastGood,
  saveLastGood,
  type AdoptedEdition,
} from './kept-editions.ts';
import { prepareEdition } from './prepare.ts';
import type { SignaturePolicy } from './signature-policy.ts';
import { UnusableEditionError, type EditionSource } from './source.ts';
import { DamagedFileError, upkeepFrom, type Upkeep } from './verified-files.ts';

/** Result of a check of the source; after `failed` the last edition is still served. */
export type RefreshOutcome = 'unchanged' | 'adopted' | 'failed';

export interface LastRefresh {
  outcome: RefreshOutcome;
  /** Milliseconds since 1970. */
  at: number;
}

export interface CurrentEditionOptions {
  source: EditionSource;
  /** Prepares a new edition; by default in this thread, which then answers nothing for a while. */
  prepare?: typeof prepareEdition;
  dataDir: string;
  logger: Logger;
  meters?: Meters;
  /** Bytes of the largest edition to accept; default: no limit. */
  maxBytes?: number;
  /** Bytes of files to keep in memory, besides those that any request may need. */
  cacheBytes?: number;
  /** Called when a new edition has replaced the last one. */
  onReplaced?: () => void;
  /** Given if only signed editions are served. */
  policy?: SignaturePolicy | undefined;
  /** Serves samples of a new edition before clients get it. @throws if a response is wrong */
  rehearse?: (edition: Edition) => Promise<void>;
}

/** An edition in use. */
interface Served {
  edition: Edition;
  adopted: AdoptedEdition;
  /** Version of the manifest at the source. */
  version: string | undefined;
  /** Checked against the policy; undefined without one. */
  signature?: EditionSignature | undefined;
}

/** Wait after a failed check, for instance of an incomplete upload; doubled after each one. */
const FIRST_RETRY_MS = 2_000;

/** Holds the edition that is served and replaces it by a newer one. */
export class CurrentEdition {
  #served: Served | undefined;
  #refreshing: Promise<RefreshOutcome> | undefined;
  #following: Promise<RefreshOutcome> | undefined;
  #last: LastRefresh = { outcome: 'adopted', at: Date.now() };
  #failures = 0;
  #reportedExpired: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #refreshMs: number | undefined;
  #onChecked = (): void => {};
  readonly #options: CurrentEditionOptions;
  readonly #upkeep: Upkeep;

  private constructor(options: CurrentEditionOptions) {
    const { source, logger, meters = NO_METERS } = options;
    this.#options = options;
    const count = meters.counter(
      'reviews_edition_damaged_files_total',
      'Files found damaged on the disk, by whether they could be fetched again.',
      ['outcome'],
    );
    this.#upkeep = upkeepFrom(source, (path, error) => {
      count({ outcome: error ? 'lost' : 'repaired' });
      if (!error) logger.log('warn', 'a damaged file was fetched again', { path });
      else logger.log('error', 'a damaged file cannot be fetched again', { path, error });
    });
  }

  /**
   * Opens the edition of the source, or the last good one if that fails. If the source is remote,
   * the last good one is opened at once, and {@link watch} then checks the source.
   *
   * @throws if there is neither
   */
  static async open(options: CurrentEditionOptions): Promise<CurrentEdition> {
    const current = new CurrentEdition(options);
    const { source, logger } = options;
    const lastGood = source.remote ? await current.#openLastGood() : undefined;
    current.#served =
      lastGood ??
      (await current.#take().catch(async (error: unknown) => {
        const last = await current.#openLastGood();
        if (!last) throw error;
        logger.log('warn', 'no edition at the source, the last good one is served', { error });
        return last;
      }));
    return current;
  }

  get(): Edition {
    return this.#served!.edition;
  }

  lastRefresh(): LastRefresh {
    return this.#last;
  }

  /**
   * Returns the edition's part of /readyz. An old edition is still served, so its age is reported
   * but does not take the process out of service; a file that cannot be served does, and so does a
   * signature that has expired.
   *
   * @param now milliseconds since 1970
   */
  check(now: number) {
    const { manifest, lastModified, files } = this.get();
    const { outcome, at } = this.#last;
    const signature = this.#served!.signature;
    const expired = this.#hasExpired();
    return {
      ok: files.lost === 0 && !expired,
      edition: manifest.edition,
      age_seconds: Math.round(now / 1000 - lastModified),
      last_refresh: { outcome, seconds_ago: Math.round((now - at) / 1000) },
      damaged_files: files.lost,
      ...(signature && { sequence: signature.sequence, expires: signature.expires, expired }),
    };
  }

  /**
   * Checks the source and swaps in a new edition if it is complete. A check in progress may have
   * missed a change the caller knows of, so another one follows it.
   */
  refresh(): Promise<RefreshOutcome> {
    if (this.#refreshing) {
      this.#following ??= this.#refreshing.then(() => {
        this.#following = undefined;
        return this.refresh();
      });
      return this.#following;
    }
    this.#refreshing = this.#refresh().finally(() => {
      this.#refreshing = undefined;
      this.#onChecked();
      this.#schedule();
    });
    return this.#refreshing;
  }

  /**
   * Checks the source now and then every `refreshMs`, sooner after a failed check.
   *
   * @param onChecked called after each check, whatever its outcome
   */
  watch(refreshMs: number, onChecked: () => void = () => {}): void {
    this.#refreshMs = refreshMs;
    this.#onChecked = onChecked;
    void this.refresh();
  }

  /** Ends {@link watch}. */
  stop(): void {
    this.#refreshMs = undefined;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#refreshMs === undefined) return;
    const retry = FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    const wait = this.#failures > 0 ? Math.min(retry, this.#refreshMs) : this.#refreshMs;
    this.#timer = setTimeout(() => void this.refresh(), wait);
  }

  async #refresh(): Promise<RefreshOutcome> {
    const { logger } = this.#options;
    let outcome: RefreshOutcome = 'unchanged';
    try {
      const next = await this.#take();
      if (next.edition !== this.get()) {
        outcome = 'adopted';
        const { manifest, search } = next.edition;
        const reviews = search.lines.count;
        logger.log('info', 'new edition', { edition: manifest.edition, reviews });
      }
      this.#served = next;
      this.#failures = 0;
      if (outcome === 'adopted') this.#options.onReplaced?.();
    } catch (error) {
      outcome = 'failed';
      this.#failures++;
      const level = error instanceof UnusableEditionError ? 'warn' : 'error';
      logger.log(level, 'edition not taken, the last one is still served', { error });
    }
    this.#last = { outcome, at: Date.now() };
    this.#reportExpiry();
    return outcome;
  }

  #hasExpired(): boolean {
    const signature = this.#served!.signature;
    return signature !== undefined && this.#options.policy!.hasExpired(signature);
  }

  /** Logs once for each signature that it has expired. */
  #reportExpiry(): void {
    const expires = this.#served!.signature?.expires;
    if (!this.#hasExpired() || this.#reportedExpired === expires) return;
    this.#reportedExpired = expires;
    this.#options.logger.log('error', 'the edition has expired, it is still served', { expires });
  }

  /** Returns the edition of the source, the one in use if that has not changed. */
  async #take(): Promise<Served> {
    const { source, dataDir, maxBytes = Infinity, cacheBytes, policy, rehearse } = this.#options;
    const served = this.#served;
    const read = await source.readManifest(served?.version);
    const manifestBytes = read?.bytes ?? served!.adopted.manifestBytes;
    const version = read ? read.version : served!.version;
    const digest = editionDigest(manifestBytes);
    const signatureBytes = await this.#readSignature(manifestBytes);
    // A signature can be renewed while the edition stays the same.
    const isServed =
      served &&
      digest === served.adopted.digest &&
      isSame(signatureBytes, served.adopted.signatureBytes);
    if (isServed) return { ...served, version };
    const signature = await policy?.accept(source.name, manifestBytes, signatureBytes);
    // At a start nobody waits for answers, and a kept edition is read before a worker has begun.
    const isQuick = !served && (await isKept(dataDir, digest));
    const { prepare = prepareEdition } = isQuick ? {} : this.#options;
    const upkeep = this.#upkeep;
    const options = { source, manifestBytes, dataDir, maxBytes, upkeep };
    const prepared = await prepare(options);
    const adopted = signatureBytes
      ? await keepSignature(prepared.adopted, signatureBytes)
      : prepared.adopted;
    const edition = createEdition(adopted, prepared.documents, upkeep, cacheBytes);
    await rehearse?.(edition);
    await saveLastGood(dataDir, adopted, source.name);
    if (signature) await this.#remember(signature);
    return { edition, adopted, version, signature };
  }

  /** Reads the signature of an edition that should have one. */
  async #readSignature(manifestBytes: Buffer): Promise<Buffer | undefined> {
    const { policy, source } = this.#options;
    if (policy) return source.readSignature();
    if (!manifestBytes.includes(EDITION_KEY_PATH)) return undefined;
    // Without keys it is only passed on.
    return source.readSignature().catch(() => this.#served?.adopted.signatureBytes);
  }

  async #remember(signature: EditionSignature): Promise<void> {
    const { sequence, rollback } = signature;
    await this.#options.policy!.save(signature);
    if (rollback === null) return;
    this.#options.logger.log('warn', 'an older edition on purpose', { sequence, rollback });
  }

  async #openLastGood(): Promise<Served | undefined> {
    const { source, dataDir, cacheBytes, logger, policy } = this.#options;
    const adopted = await readLastGood(dataDir, source.name);
    if (!adopted) return undefined;
    try {
      const signature = policy?.recheck(adopted);
      const edition = await openEdition(adopted, this.#upkeep, cacheBytes);
      return { edition, adopted, version: strongETag(adopted.manifestBytes), signature };
    } catch (error) {
      const isKnown = error instanceof DamagedFileError || error instanceof UnusableEditionError;
      if (!isKnown) throw error;
      logger.log('warn', 'the last good edition cannot be served', { error });
      return undefined;
    }
  }
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}
