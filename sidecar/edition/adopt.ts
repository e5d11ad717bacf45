import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eachConcurrently } from '../../src/edition/each-concurrently.ts';
import { MANIFEST_FILE, pathInside } from '../../src/edition/manifest.ts';
import { isDiskFull, nameDataDir } from '../base/data-dir.ts';
import { writeAside } from '../base/write-aside.ts';
import {
  dropEditions,
  dropStaging,
  editionDigest,
  ensureSpace,
  parseManifest,
  STAGING,
  type AdoptedEdition,
} from './kept-editions.ts';
import {
  editionFiles,
  fetchFile,
  UnusableEditionError,
  type EditionFile,
  type EditionSource,
} from './source.ts';
import { isWhole } from './verified-files.ts';

export interface AdoptOptions {
  dataDir: string;
  /** Bytes of the largest edition to accept, all files together. */
  maxBytes: number;
  /** The edition whose files may be linked. */
  previous: AdoptedEdition | undefined;
  /** Ends the attempt; the next one resumes it. */
  signal: AbortSignal;
}

/** Number of editions in DATA_DIR: the current one and the previous one. */
const KEPT = 2;
/** Number of files that are copied at a time. */
const CONCURRENCY = 8;

/**
 * Copies an edition into `DATA_DIR/editions/<digest>` and verifies every file, so that it can't
 * change with its source. Links files that the previous edition has too, and resumes a failed
 * attempt. An edition that was adopted before is returned unchanged: its files are verified when
 * they are used.
 *
 * @throws {UnusableEditionError} if a file is missing or differs from its description in
 *   edition.json, or if the edition is too large
 */
export async function adoptEdition(
  source: EditionSource,
  manifestBytes: Buffer,
  { dataDir, maxBytes, previous, signal }: AdoptOptions,
): Promise<AdoptedEdition> {
  const digest = editionDigest(manifestBytes);
  const editions = join(dataDir, 'editions');
  const folder = join(editions, digest);
  const isKept = await stat(folder).catch(() => undefined);
  const parsed = parseManifest(manifestBytes, source.name);
  const adopted = { digest, folder, manifest: parsed, manifestBytes };
  if (isKept) {
    await restoreManifest(adopted);
    return adopted;
  }

  const files = editionFiles(parsed);
  const bytes = totalSize(files);
  if (bytes > maxBytes) {
    throw new UnusableEditionError(
      `${source.name}: the edition has ${bytes} bytes, more than ${maxBytes}`,
    );
  }
  const staging = `${folder}${STAGING}`;
  await dropStaging(editions, staging);
  try {
    const missing = await stageKnownFiles(staging, files, { previous, signal });
    await ensureSpace(editions, totalSize(missing), previous?.digest);
    await eachConcurrently(missing, CONCURRENCY, (file, stop) =>
      fetchFile(source, file, staging, AbortSignal.any([stop, signal])),
    );
    await writeAside(join(staging, MANIFEST_FILE), manifestBytes);
  } catch (error) {
    if (isDiskFull(error)) await rm(staging, { recursive: true, force: true });
    throw nameDataDir(error, dataDir);
  }
  signal.throwIfAborted();
  await eachConcurrently(foldersOf(staging, files), CONCURRENCY, flush);
  await rename(staging, folder);
  await flush(editions);
  const kept = previous ? [digest, previous.digest] : [digest];
  await dropEditions(editions, kept, KEPT - kept.length);
  return adopted;
}

/** Writes the manifest again if it is damaged: a start without the source reads it. */
async function restoreManifest({ folder, manifestBytes }: AdoptedEdition): Promise<void> {
  const file = join(folder, MANIFEST_FILE);
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes?.equals(manifestBytes)) await writeAside(file, manifestBytes);
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
  { previous, signal }: Pick<AdoptOptions, 'previous' | 'signal'>,
): Promise<EditionFile[]> {
  for (const folder of foldersOf(staging, files)) await mkdir(folder, { recursive: true });
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

async function flush(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

function totalSize(files: readonly EditionFile[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}
