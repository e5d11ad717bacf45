import { link, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { eachConcurrently } from '../../src/base/each-concurrently.ts';
import { sha256 } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, pathInside, type Manifest } from '../../src/edition/manifest.ts';
import { isDiskFull, nameDataDir } from '../base/data-dir.ts';
import { writeAside } from '../../src/files.ts';
import {
  editionFiles,
  fetchFile,
  UnusableEditionError,
  type EditionFile,
  type EditionSource,
} from './source.ts';
import { isWhole } from './verified-files.ts';

/** An edition in a folder of DATA_DIR. */
export interface AdoptedEdition {
  /** Digest of edition.json, which contains the digest of every file; it names the folder. */
  digest: string;
  folder: string;
  manifest: Manifest;
  manifestBytes: Buffer;
  /** The signature of the edition at its source. */
  signatureBytes?: Buffer | undefined;
}

interface AdoptOptions {
  dataDir: string;
  /** Bytes of the largest edition to accept, all files together. */
  maxBytes: number;
  /** The edition whose files may be linked. */
  previous: AdoptedEdition | undefined;
  /** Ends the attempt; the next one resumes it. */
  signal: AbortSignal;
}

/** Number of files that are copied at a time. */
const CONCURRENCY = 8;
/** Suffix of the folder that an edition is copied into. */
const STAGING = '.staging';
const FOLDER = /^[\w-]{22}(\.staging)?$/;

/**
 * Copies an edition into its folder and verifies every file, so that it can't change with its source.
 * Links files that the previous edition has too, and resumes a failed attempt. All other editions are
 * removed first. The files of an edition that was adopted before are verified when they are used.
 *
 * @throws {UnusableEditionError} if a file is missing or differs from its description in
 *   edition.json, or if the edition is too large
 */
export async function adoptEdition(
  source: EditionSource,
  { digest, folder, manifest, manifestBytes }: AdoptedEdition,
  { dataDir, maxBytes, previous, signal }: AdoptOptions,
): Promise<void> {
  if (await stat(folder).catch(() => undefined)) {
    // A start without the source reads it, and it may be damaged.
    await writeAside(join(folder, MANIFEST_FILE), manifestBytes);
    return;
  }

  const files = editionFiles(manifest);
  const bytes = totalSize(files);
  if (bytes > maxBytes) {
    throw new UnusableEditionError(
      `${source.name}: the edition has ${bytes} bytes, more than ${maxBytes}`,
    );
  }
  // A power failure during the first adoption loses nothing: there was no edition before, and the source has
  // this one.
  const flush = previous !== undefined;
  const editions = dirname(folder);
  const staging = folder + STAGING;
  await removeOthers(editions, [digest + STAGING, previous?.digest]);
  try {
    const missing = await stageKnownFiles(staging, files, previous, signal);
    await checkSpace(editions, totalSize(missing));
    await eachConcurrently(missing, CONCURRENCY, (file, stop) => {
      const target = pathInside(staging, file.file);
      const either = AbortSignal.any([stop, signal]);
      return fetchFile(source, file, (bytes) => writeFile(target, bytes, { flush }), either);
    });
    await writeAside(join(staging, MANIFEST_FILE), manifestBytes);
  } catch (error) {
    if (isDiskFull(error)) await rm(staging, { recursive: true, force: true });
    throw nameDataDir(error, dataDir);
  }
  signal.throwIfAborted();
  if (flush) await eachConcurrently(foldersOf(staging, files), CONCURRENCY, flushFolder);
  await rename(staging, folder);
  await flushFolder(editions);
}

/**
 * Validates a manifest, and says where its edition is in DATA_DIR.
 *
 * @param source for messages
 * @throws {UnusableEditionError} if it is invalid, of another version, or contradicts itself
 */
export function describeEdition(
  dataDir: string,
  manifestBytes: Buffer,
  source: string,
): AdoptedEdition {
  const digest = editionDigest(manifestBytes);
  const folder = join(dataDir, 'editions', digest);
  try {
    const parsed = manifest.parse(JSON.parse(manifestBytes.toString()));
    return { digest, folder, manifest: parsed, manifestBytes };
  } catch (error) {
    throw new UnusableEditionError(`${source}: ${MANIFEST_FILE} is refused: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Returns the digest of an edition.json, which names the folder of an edition. */
export function editionDigest(manifestBytes: Buffer): string {
  return sha256(manifestBytes).slice(0, 22);
}

/** Describes the first issue, shortened and printable, because names come from the manifest. */
function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'it is not JSON';
  const { path, message } = error.issues[0]!;
  const text = [...path.map(String), message].join(': ');
  return text.slice(0, 300).replace(/\p{Cc}/gu, '?');
}

/** Removes editions and former attempts, except those to keep. */
async function removeOthers(
  editions: string,
  keep: readonly (string | undefined)[],
): Promise<void> {
  for (const name of await readdir(editions).catch(() => [])) {
    if (!FOLDER.test(name) || keep.includes(name)) continue;
    await rm(join(editions, name), { recursive: true, force: true });
  }
}

/** @throws an error of a full disk unless there is room for so many bytes */
async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  const message = `the new edition needs ${bytes} bytes, and ${free} are free`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}

/**
 * Puts files into the staging folder that are on the disk already, from an earlier attempt or from
 * the previous edition.
 *
 * @returns the files that are missing
 */
async function stageKnownFiles(
  staging: string,
  files: readonly EditionFile[],
  previous: AdoptedEdition | undefined,
  signal: AbortSignal,
): Promise<EditionFile[]> {
  const isResumed = (await mkdir(staging, { recursive: true })) === undefined;
  for (const folder of foldersOf(staging, files)) await mkdir(folder, { recursive: true });
  if (!isResumed && !previous) return [...files];
  const known = new Map<string, string>();
  if (previous) {
    for (const { file, digest } of editionFiles(previous.manifest)) {
      known.set(digest, pathInside(previous.folder, file));
    }
  }
  const missing: EditionFile[] = [];
  await eachConcurrently(files, CONCURRENCY, async (file) => {
    signal.throwIfAborted();
    const target = pathInside(staging, file.file);
    if (await isWhole(target, file)) return;
    const path = known.get(file.digest);
    if (path === undefined || !(await isWhole(path, file)) || !(await linked(path, target))) {
      missing.push(file);
    }
  });
  return missing;
}

/** Links a file; returns false if the file system has no links. */
async function linked(path: string, target: string): Promise<boolean> {
  await rm(target, { force: true });
  return link(path, target).then(
    () => true,
    () => false,
  );
}

/** Lists a folder and all folders of files in it. */
function foldersOf(top: string, files: readonly EditionFile[]): string[] {
  const folders = new Set<string>([top]);
  for (const { file } of files) {
    let folder = dirname(pathInside(top, file));
    for (; !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

async function flushFolder(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

function totalSize(files: readonly EditionFile[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}
