import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { strongETag } from '../../src/edition/etag.ts';
import { MANIFEST_FILE, pathInside } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import type { EditionSignature } from '../../src/schema/edition-signature.ts';
import { EDITION_KEY_PATH, REVIEWS_PATH } from '../../src/paths.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Logger } from '../base/log.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { writeAside } from '../../src/files.ts';
import { adoptEdition, describeEdition, editionDigest, type AdoptedEdition } from './adopt.ts';
import { openEdition, type Edition } from './edition.ts';
import type { FileCache } from './file-store.ts';
import type { SignaturePolicy } from './signature-policy.ts';
import { fetchFile, UnusableEditionError, type EditionSource } from './source.ts';
import { DamagedFileError, type Repair } from './verified-files.ts';

/** Bytes of all its files. */
const LARGEST_EDITION = 2_000_000_000;
/** A look that takes longer fails; the next look resumes what this one copied. */
const LOOK_MS = 30 * 60_000;
/** Longest time a request waits for a damaged file. */
const REPAIR_MS = 30_000;

export interface LoaderOptions {
  source: EditionSource;
  dataDir: string;
  logger: Logger;
  meters?: Meters;
  /** Longest time of a look at the source, with the preparation of a new edition. */
  lookMs?: number;
  /** Bytes of the largest edition to accept. */
  maxBytes?: number;
  /** Keeps files in memory, besides those that any request may need. */
  cache?: FileCache;
  /** Given if only signed editions are served. */
  policy?: SignaturePolicy | undefined;
  /** Id of an edition that may break with the one before. */
  accepted?: string;
}

export interface Served {
  edition: Edition;
  /** Version of the manifest at the source. */
  version: string | undefined;
  /** Checked against the policy; undefined without one. */
  signature?: EditionSignature | undefined;
}

/**
 * Returns the edition of the source, or the served edition if the source has not changed.
 *
 * @throws if the source has no edition that can be served, or does not answer in time: a source or a disk
 *   that hangs must not prevent the next look
 */
export async function takeEdition(options: LoaderOptions, served?: Served): Promise<Served> {
  const { source, lookMs = LOOK_MS } = options;
  const late = `${source.name}: no edition within ${lookMs / 1000} s`;
  return withDeadline(lookMs, late, (signal) => take(options, served, signal));
}

/** @param signal once it is aborted, nothing is written any more: another look may be under way */
async function take(
  options: LoaderOptions,
  served: Served | undefined,
  signal: AbortSignal,
): Promise<Served> {
  const { source, dataDir, maxBytes = LARGEST_EDITION, cache, policy } = options;
  const { manifestBytes, version, signatureBytes } = await look(options, served, signal);
  const previous = served?.edition ?? (await readLastGood(dataDir, source.name));
  const isNew = editionDigest(manifestBytes) !== previous?.digest;
  // A signature can be renewed while the edition stays the same.
  const isRenewed = String(signatureBytes) !== String(previous?.signatureBytes);
  if (served && !isNew && !isRenewed) return { ...served, version };

  const signature = await policy?.accept(source.name, manifestBytes, signatureBytes);
  const next = isNew ? describeEdition(dataDir, manifestBytes, source.name) : previous;
  if (previous && isNew && !signature?.rollback) refuseBreak(options, previous, next);
  signal.throwIfAborted();
  if (isNew) await adoptEdition(source, next, { dataDir, maxBytes, previous, signal });
  const { digest, folder, manifest } = next;
  const adopted = { digest, folder, manifest, manifestBytes, signatureBytes };
  if (signatureBytes) await writeAside(join(folder, SIGNATURE_FILE), signatureBytes);
  const edition = await openEdition(adopted, repairFrom(options), cache);
  // Files wait for the index only if another edition can be served meanwhile.
  if (served || (previous && isNew)) await edition.index();
  signal.throwIfAborted();
  if (isNew) {
    const saved = { id: digest, source: source.name };
    await writeAside(lastGoodFile(dataDir), JSON.stringify(saved));
  }
  signal.throwIfAborted();
  if (signature) await policy!.save(signature);
  return { edition, version, signature };
}

/** Returns the version and manifest of the source, even if they are those of the served edition. */
async function look(options: LoaderOptions, served: Served | undefined, signal: AbortSignal) {
  const read = await options.source.readManifest(served?.version, signal);
  const manifestBytes = read?.bytes ?? served!.edition.manifestBytes;
  const signatureBytes = await readSignature(options, manifestBytes, served, signal);
  return { manifestBytes, version: read ? read.version : served!.version, signatureBytes };
}

/**
 * Refuses an edition that is hardly meant to follow the one before: it is of another site, or has less than half
 * of its reviews, by the size of their document. On localhost anything follows, because people try things there.
 *
 * @throws {UnusableEditionError} unless somebody accepted it
 */
function refuseBreak(
  { source, accepted }: LoaderOptions,
  { manifest: { base_url: served, resources } }: AdoptedEdition,
  { manifest }: AdoptedEdition,
): void {
  if (new URL(served).hostname === 'localhost' || manifest.edition === accepted) return;
  const [before, after] = [resources, manifest.resources].map(
    (all) => all.find(({ path }) => path === REVIEWS_PATH)!.size,
  ) as [number, number];
  if (manifest.base_url === served && after >= before / 2) return;
  const reason =
    manifest.base_url === served
      ? `its reviews have ${after} bytes, where those that are served have ${before}`
      : `it is of ${manifest.base_url}, and ${served} is served`;
  throw new UnusableEditionError(
    `${source.name}: edition ${manifest.edition} waits for your word, because ${reason}: if that is ` +
      `meant, start the sidecar with EDITION_ACCEPT=${manifest.edition}`,
  );
}

/** Reads the signature of an edition that should have one. */
async function readSignature(
  { policy, source }: LoaderOptions,
  manifestBytes: Buffer,
  served: Served | undefined,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (policy) return source.readSignature(signal);
  if (!manifestBytes.includes(EDITION_KEY_PATH)) return undefined;
  // Without keys a signature is only passed on.
  return source.readSignature(signal).catch(() => served?.edition.signatureBytes);
}

/** Opens the last good edition; returns undefined if there is none that can be served. */
export async function openLastGood(options: LoaderOptions): Promise<Served | undefined> {
  const { source, dataDir, cache, logger, policy } = options;
  const adopted = await readLastGood(dataDir, source.name);
  if (!adopted) return undefined;
  try {
    const signature = policy?.recheck(adopted);
    const edition = await openEdition(adopted, repairFrom(options), cache);
    return { edition, version: strongETag(adopted.manifestBytes), signature };
  } catch (error) {
    const isKnown = error instanceof DamagedFileError || error instanceof UnusableEditionError;
    if (!isKnown) throw error;
    logger.log('warn', 'the last good edition cannot be served', { error });
    return undefined;
  }
}

/** The edition that was served last, by its digest, for a start without its source. */
const lastGood = z.strictObject({ id: z.string().regex(/^[\w-]{22}$/), source: z.string() });

const lastGoodFile = (dataDir: string) => join(dataDir, 'editions', 'current.json');

/** Returns the edition that was last served from a source, unless its manifest is damaged. */
async function readLastGood(dataDir: string, source: string): Promise<AdoptedEdition | undefined> {
  try {
    const saved = lastGood.parse(JSON.parse(await readFile(lastGoodFile(dataDir), 'utf8')));
    if (saved.source !== source) return undefined;
    const folder = join(dataDir, 'editions', saved.id);
    const adopted = describeEdition(dataDir, await readFile(join(folder, MANIFEST_FILE)), folder);
    if (adopted.digest !== saved.id) return undefined;
    const signatureBytes = await readFile(join(folder, SIGNATURE_FILE)).catch(() => undefined);
    return { ...adopted, signatureBytes };
  } catch {
    return undefined; // none was saved, or by another version: the source must have one
  }
}

/** Returns a repair by the source of the edition, which counts and logs what it does. */
function repairFrom({ source, logger, meters = NO_METERS }: LoaderOptions): Repair {
  const count = meters.counter(
    'reviews_edition_damaged_files_total',
    'Files found damaged on the disk, by whether they could be fetched again.',
    ['outcome'],
  );
  return async (file, folder) => {
    const path = pathInside(folder, file.file);
    try {
      await withDeadline(REPAIR_MS, 'no file in time', async (signal) => {
        await mkdir(dirname(path), { recursive: true });
        await fetchFile(source, file, (bytes) => writeAside(path, bytes), signal);
      });
    } catch (error) {
      count({ outcome: 'lost' });
      logger.log('error', 'a damaged file cannot be fetched again', { path, error });
      throw error;
    }
    count({ outcome: 'repaired' });
    logger.log('warn', 'a damaged file was fetched again', { path });
  };
}
