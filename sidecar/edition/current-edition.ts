import { strongETag } from '../../src/edition/etag.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { createEdition, openEdition, type Edition } from './edition.ts';
import {
  editionDigest,
  isKept,
  readLastGood,
  saveLastGood,
  type AdoptedEdition,
} from './kept-editions.ts';
import { prepareEdition } from './prepare.ts';
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
  /** Serves samples of a new edition before clients get it. @throws if a response is wrong */
  rehearse?: (edition: Edition) => Promise<void>;
}

/** An edition in use. */
interface Served {
  edition: Edition;
  adopted: AdoptedEdition;
  /** Version of the manifest at the source. */
  version: string | undefined;
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
   * but does not take the process out of service; a file that cannot be served does.
   *
   * @param now milliseconds since 1970
   */
  check(now: number) {
    const { manifest, lastModified, files } = this.get();
    const { outcome, at } = this.#last;
    return {
      ok: files.lost === 0,
      edition: manifest.edition,
      age_seconds: Math.round(now / 1000 - lastModified),
      last_refresh: { outcome, seconds_ago: Math.round((now - at) / 1000) },
      damaged_files: files.lost,
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
    return outcome;
  }

  /** Returns the edition of the source, the one in use if that has not changed. */
  async #take(): Promise<Served> {
    const { source, dataDir, maxBytes = Infinity, cacheBytes, rehearse } = this.#options;
    const served = this.#served;
    const read = await source.readManifest(served?.version);
    if (!read) return served!;
    const { bytes, version } = read;
    const digest = editionDigest(bytes);
    if (served && digest === served.adopted.digest) return { ...served, version };
    // At a start nobody waits for answers, and a kept edition is read before a worker has begun.
    const isQuick = !served && (await isKept(dataDir, digest));
    const { prepare = prepareEdition } = isQuick ? {} : this.#options;
    const upkeep = this.#upkeep;
    const options = { source, manifestBytes: bytes, dataDir, maxBytes, upkeep };
    const { adopted, documents } = await prepare(options);
    const edition = createEdition(adopted, documents, upkeep, cacheBytes);
    await rehearse?.(edition);
    await saveLastGood(dataDir, adopted, source.name);
    return { edition, adopted, version };
  }

  async #openLastGood(): Promise<Served | undefined> {
    const { source, dataDir, cacheBytes, logger } = this.#options;
    const adopted = await readLastGood(dataDir, source.name);
    if (!adopted) return undefined;
    try {
      const edition = await openEdition(adopted, this.#upkeep, cacheBytes);
      return { edition, adopted, version: strongETag(adopted.manifestBytes) };
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      logger.log('warn', 'the last good edition is damaged', { error });
      return undefined;
    }
  }
}
