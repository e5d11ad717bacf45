import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { editionId, editionsFolder, parseManifest, type AdoptedEdition } from './adopt.ts';

const kept = z.strictObject({ id: z.string().regex(/^[\w-]{22}$/), source: z.string() });

const keptFile = (dataDir: string) => join(editionsFolder(dataDir), 'current.json');

/** Notes which edition is served, and where it came from, for a start without its source. */
export async function noteKept(
  dataDir: string,
  { id }: AdoptedEdition,
  source: string,
): Promise<void> {
  const file = keptFile(dataDir);
  const note = JSON.stringify({ id, source });
  if ((await readFile(file, 'utf8').catch(() => undefined)) === note) return;
  const staging = `${file}.${process.pid}`;
  await writeFile(staging, note, { flush: true });
  await rename(staging, file);
}

/** The edition that was last served from this source; undefined when there is none to be trusted. */
export async function readKept(
  dataDir: string,
  source: string,
): Promise<AdoptedEdition | undefined> {
  try {
    const noted = kept.parse(JSON.parse(await readFile(keptFile(dataDir), 'utf8')));
    if (noted.source !== source) return undefined;
    const folder = join(editionsFolder(dataDir), noted.id);
    const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
    if (editionId(manifestBytes) !== noted.id) return undefined;
    return { id: noted.id, folder, manifest: parseManifest(manifestBytes, folder), manifestBytes };
  } catch {
    return undefined; // nothing kept, or not by this version: the source has to have one
  }
}
