import { strongETag } from '../../src/edition/etag.ts';
import type { EditionSignature } from '../../src/schema/edition-signature.ts';
import { EDITION_KEY_PATH } from '../../src/paths.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { adoptEdition } from './adopt.ts';
import { openEdition, type Edition } from './edition.ts';
import {
  editionDigest,
  keepSignature,
  readLastGood,
  saveLastGood,
  type AdoptedEdition,
} from './kept-editions.ts';
import type { SignaturePolicy } from './signature-policy.ts';
import { UnusableEditionError, type EditionSource } from './source.ts';
import { DamagedFileError, upkeepFrom, type Upkeep } from './verified-files.ts';

/** Bytes of all its files. */
const LARGEST_EDITION = 2_000_000_000;

export interface LoaderOptions {
  source: EditionSource;
  dataDir: string;
  logger: Logger;
  meters?: Meters;
  /** Longest time of a look at the source, with the preparation of a new edition. */
  lookMs?: number;
  /** Bytes of the largest edition to accept. */
  maxBytes?: number;
  /** Bytes of files to keep in memory, besides those that any request may need. */
  cacheBytes?: number;
  /** Given if only signed editions are served. */
  policy?: SignaturePolicy | undefined;
}

/** A look that takes longer has failed; the next one resumes what it copied. */
const LOOK_MS = 30 * 60_000;

/** An edition in use. */
export interface Served {
  edition: Edition;
  adopted: AdoptedEdition;
  /** Version of the manifest at the source. */
  version: string | undefined;
  /** Checked against the policy; undefined without one. */
  signature?: EditionSignature | undefined;
}

/** Waits for a part of a look; throws once the look has taken too long. */
type InTime = <T>(work: Promise<T>) => Promise<T>;

/** Takes editions from the source, or from DATA_DIR, and checks that they can be served. */
export class EditionLoader {
  readonly #options: LoaderOptions;
  readonly #upkeep: Upkeep;

  constructor(options: LoaderOptions) {
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
   * Returns the edition of the source, the served one if that has not changed.
   *
   * @throws if there is none that can be served, or if that is not known in time: a source or a disk
   *   that hangs must not prevent the next look
   */
  async take(served?: Served): Promise<Served> {
    const { source, lookMs = LOOK_MS } = this.#options;
    const deadline = AbortSignal.timeout(lookMs);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(new Error(`${source.name}: no edition within ${lookMs / 1000} s`));
    deadline.addEventListener('abort', abort);
    const inTime: InTime = (work) => Promise.race([work, aborted]);
    try {
      return await this.#take(served, inTime, deadline);
    } finally {
      deadline.removeEventListener('abort', abort);
    }
  }

  async #take(served: Served | undefined, inTime: InTime, signal: AbortSignal): Promise<Served> {
    const { source, dataDir, maxBytes = LARGEST_EDITION, cacheBytes, policy } = this.#options;
    const read = await inTime(source.readManifest(served?.version));
    const manifestBytes = read?.bytes ?? served!.adopted.manifestBytes;
    const version = read ? read.version : served!.version;
    const digest = editionDigest(manifestBytes);
    const signatureBytes = await inTime(this.#readSignature(manifestBytes, served));
    // A signature can be renewed while the edition stays the same.
    const isServed =
      served &&
      digest === served.adopted.digest &&
      isSame(signatureBytes, served.adopted.signatureBytes);
    if (isServed) return { ...served, version };
    const signature =
      policy && (await inTime(policy.accept(source.name, manifestBytes, signatureBytes)));
    const lastGood = served ? undefined : await inTime(readLastGood(dataDir, source.name));
    const kept = lastGood?.digest === digest ? lastGood : undefined;
    const previous = served?.adopted ?? lastGood;
    const found =
      kept ??
      (await inTime(adoptEdition(source, manifestBytes, { dataDir, maxBytes, previous, signal })));
    const adopted = signatureBytes
      ? await inTime(keepSignature(found, signatureBytes))
      : { ...found, signatureBytes };
    const edition = await inTime(openEdition(adopted, this.#upkeep, cacheBytes));
    if (!kept) await inTime(saveLastGood(dataDir, adopted, source.name));
    if (signature) await inTime(policy!.save(signature));
    return { edition, adopted, version, signature };
  }

  /** Reads the signature of an edition that should have one. */
  async #readSignature(manifestBytes: Buffer, served?: Served): Promise<Buffer | undefined> {
    const { policy, source } = this.#options;
    if (policy) return source.readSignature();
    if (!manifestBytes.includes(EDITION_KEY_PATH)) return undefined;
    // Without keys it is only passed on.
    return source.readSignature().catch(() => served?.adopted.signatureBytes);
  }

  /** Opens the last good edition; returns undefined if there is none that can be served. */
  async openLastGood(): Promise<Served | undefined> {
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
