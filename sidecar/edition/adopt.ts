import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ZodError } from 'zod';
import { sha256 } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, pathInside, type Manifest } from '../../src/edition/manifest.ts';
import { eachConcurrently } from './each-concurrently.ts';
import { IncompleteEditionError } from './incomplete-edition-error.ts';
import { editionFiles, type EditionFile, type EditionSource } from './source.ts';

/** An edition that lies, verified, in a folder of this sidecar's own. */
export interface AdoptedEdition {
  /** Names the bytes: digest of edition.json, which names every file by digest. */
  id: string;
  folder: string;
  manifest: Manifest;
  manifestBytes: Buffer;
}

/** Editions kept in DATA_DIR: the one served, and the one before it. */
const KEPT = 2;
/** Files under way at once. */
const CONCURRENCY = 8;

/** Where the editions of a sidecar lie. */
export function editionsFolder(dataDir: string): string {
  return join(dataDir, 'editions');
}

/** Names an edition by its edition.json. */
export function editionId(manifestBytes: Buffer): string {
  return sha256(manifestBytes).slice(0, 22);
}

/** The edition whose files may be taken over; asked for only when there are files to take. */
export type Previous = () => Promise<AdoptedEdition | undefined>;

/**
 * Takes a copy of an edition into `DATA_DIR/editions/<id>`, every file verified. What is served
 * from then on cannot change under the reader; a hard link could, where an upload writes into files
 * instead of replacing them. Files that the previous edition has too are taken from there, and an
 * attempt that failed leaves what it got for the next one. What was adopted before is handed out as
 * it is: a power loss leaves all of a folder or none, and opening it shows other damage.
 *
 * @throws {IncompleteEditionError} when a file is missing or is not what edition.json says
 */
export async function adoptEdition(
  source: EditionSource,
  manifestBytes: Buffer,
  dataDir: string,
  previous: Previous,
): Promise<AdoptedEdition> {
  const parsed = parseManifest(manifestBytes, source.name);
  const id = editionId(manifestBytes);
  const editions = editionsFolder(dataDir);
  const folder = join(editions, id);
  const adopted = { id, folder, manifest: parsed, manifestBytes };
  if (await exists(join(folder, MANIFEST_FILE))) return adopted;

  const staging = `${folder}${STAGING}`;
  await dropStaging(editions, staging);
  const begun = await exists(staging);
  const former = await previous();
  await stageFiles(source, staging, parsed, former, begun);
  await writeFile(join(staging, MANIFEST_FILE), manifestBytes);
  await flushAll(staging, parsed);
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
  await flush(editions);
  await dropOldEditions(editions, id, former?.id);
  return adopted;
}

/**
 * Reads a manifest and checks it as a whole.
 *
 * @throws {IncompleteEditionError} when it is of another version or contradicts itself
 */
export function parseManifest(bytes: Buffer, source: string): Manifest {
  try {
    return manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new IncompleteEditionError(`${source}: ${MANIFEST_FILE} is refused: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The first issue; the names in it come from the manifest, so they are cut and made printable. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ZodError)) return 'it is not JSON';
  const { path, message } = error.issues[0]!;
  const text = [...path.map(String), message].join(': ');
  return text.slice(0, 300).replace(/\p{Cc}/gu, '?');
}

/** Waits until all of an edition is on the disk, also what an earlier attempt wrote. */
async function flushAll(staging: string, manifest: Manifest): Promise<void> {
  const files = [MANIFEST_FILE, ...editionFiles(manifest).map(({ file }) => file)];
  const paths = files.map((file) => pathInside(staging, file));
  const folders = new Set(paths.flatMap((path) => foldersWithin(staging, path)));
  await eachConcurrently([...paths, ...folders], CONCURRENCY, flush);
}

/** From a file's own folder up to the one that all are in. */
function foldersWithin(top: string, path: string): string[] {
  const folder = dirname(path);
  return folder === top ? [top] : [folder, ...foldersWithin(top, folder)];
}

async function flush(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

async function stageFiles(
  source: EditionSource,
  staging: string,
  manifest: Manifest,
  previous: AdoptedEdition | undefined,
  begun: boolean,
): Promise<void> {
  const files = editionFiles(manifest);
  const folders = new Set(files.map(({ file }) => dirname(pathInside(staging, file))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const had = new Map<string, string>();
  if (previous) {
    for (const { file, digest } of editionFiles(previous.manifest)) {
      had.set(digest, pathInside(previous.folder, file));
    }
  }
  await eachConcurrently(files, CONCURRENCY, async (file, signal) => {
    const target = pathInside(staging, file.file);
    if (begun && (await readVerified(target, file))) return;
    const known = had.get(file.digest);
    const bytes = known && (await readVerified(known, file));
    await writeFile(target, bytes ?? (await fetchVerified(source, file, signal)));
  });
}

async function readVerified(path: string, expected: EditionFile): Promise<Buffer | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return bytes && isFile(bytes, expected) ? bytes : undefined;
}

async function fetchVerified(
  source: EditionSource,
  expected: EditionFile,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = await source.read(expected, signal);
  if (isFile(bytes, expected)) return bytes;
  throw new IncompleteEditionError(
    `${source.name}: ${expected.file} is not the file of ${MANIFEST_FILE}`,
  );
}

function isFile(bytes: Buffer, { size, digest }: EditionFile): boolean {
  return bytes.length === size && sha256(bytes) === digest;
}

const STAGING = '.staging';

async function dropStaging(editions: string, kept: string): Promise<void> {
  for (const name of await readdir(editions).catch(() => [])) {
    const path = join(editions, name);
    if (name.endsWith(STAGING) && path !== kept) await rm(path, { recursive: true, force: true });
  }
}

/** @param served is kept in any case: answers from it may be under way */
async function dropOldEditions(
  editions: string,
  current: string,
  served: string | undefined,
): Promise<void> {
  const others: { name: string; time: number }[] = [];
  for (const entry of await readdir(editions, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() || name === current || name.endsWith(STAGING)) continue;
    const time = name === served ? Infinity : (await stat(join(editions, name))).mtimeMs;
    others.push({ name, time });
  }
  others.sort((a, b) => b.time - a.time);
  for (const { name } of others.slice(KEPT - 1)) {
    await rm(join(editions, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
