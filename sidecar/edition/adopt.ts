import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';

/** An edition that lies, verified, in a folder of this sidecar's own. */
export interface AdoptedEdition {
  /** Names the bytes: digest of edition.json, which names every file by digest. */
  id: string;
  folder: string;
  manifest: Manifest;
  manifestBytes: Buffer;
}

/** The edition at a source is not (yet) whole: an upload may be half done. */
export class IncompleteEditionError extends Error {
  override readonly name = 'IncompleteEditionError';
}

/** Editions kept in DATA_DIR: the one served, and the one before it. */
const KEPT = 2;

/**
 * Takes a copy of the edition of a folder into `DATA_DIR/editions/<id>` and verifies every file
 * there. What is served from then on cannot change under the reader; a hard link could, where an
 * upload writes into files instead of replacing them.
 *
 * @throws {IncompleteEditionError} when a file is missing or is not what edition.json says
 */
export async function adoptEdition(source: string, dataDir: string): Promise<AdoptedEdition> {
  const manifestBytes = await readManifest(source);
  const parsed = parseManifest(manifestBytes, source);
  const id = sha256(manifestBytes).slice(0, 22);
  const editions = join(dataDir, 'editions');
  const folder = join(editions, id);
  const adopted = { id, folder, manifest: parsed, manifestBytes };
  if (await exists(join(folder, MANIFEST_FILE))) return adopted;

  const staging = `${folder}.${process.pid}.staging`;
  await rm(staging, { recursive: true, force: true });
  try {
    await stageFiles(source, staging, parsed);
    await writeFile(join(staging, MANIFEST_FILE), manifestBytes);
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  await dropOldEditions(editions, id);
  return adopted;
}

async function readManifest(source: string): Promise<Buffer> {
  try {
    return await readFile(join(source, MANIFEST_FILE));
  } catch (error) {
    throw new IncompleteEditionError(`${source} holds no ${MANIFEST_FILE}: run npm run build`, {
      cause: error,
    });
  }
}

function parseManifest(bytes: Buffer, source: string): Manifest {
  try {
    return manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new IncompleteEditionError(
      `${source}/${MANIFEST_FILE} is not a manifest of this version`,
      {
        cause: error,
      },
    );
  }
}

async function stageFiles(source: string, staging: string, { resources }: Manifest): Promise<void> {
  const files = resources.flatMap(({ file, size, etag, encodings }) => [
    { file, size, digest: etag.slice(1, -1) },
    ...Object.values(encodings).map((variant) => ({ ...variant, digest: variant.sha256 })),
  ]);
  const folders = new Set(files.map(({ file }) => dirname(join(staging, file))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const { file, size, digest } of files) {
    const target = join(staging, file);
    await copy(join(source, file), target);
    const bytes = await readFile(target);
    if (bytes.length !== size || sha256(bytes) !== digest) {
      throw new IncompleteEditionError(`${source}/${file} is not the file of ${MANIFEST_FILE}`);
    }
  }
}

async function copy(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    throw new IncompleteEditionError(`${from} cannot be read`, { cause: error });
  }
}

async function dropOldEditions(editions: string, current: string): Promise<void> {
  const others: { name: string; time: number }[] = [];
  for (const name of await readdir(editions)) {
    if (name === current || name.includes('.')) continue;
    others.push({ name, time: (await stat(join(editions, name))).mtimeMs });
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
