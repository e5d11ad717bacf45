import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { writeAside } from '../base/write-aside.ts';
import { UnusableEditionError } from './source.ts';

/** An edition in a folder of this sidecar's own. */
export interface AdoptedEdition {
  /** Names the bytes: digest of edition.json, which names every file by digest. */
  id: string;
  folder: string;
  manifest: Manifest;
  manifestBytes: Buffer;
}

/** Names an edition by its edition.json. */
export function editionId(manifestBytes: Buffer): string {
  return sha256(manifestBytes).slice(0, 22);
}

/**
 * Reads a manifest and checks it as a whole.
 *
 * @throws {UnusableEditionError} when it is of another version or contradicts itself
 */
export function parseManifest(bytes: Buffer, source: string): Manifest {
  try {
    return manifest.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new UnusableEditionError(`${source}: ${MANIFEST_FILE} is refused: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The first issue; the names in it come from the manifest, so they are cut and made printable. */
function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'it is not JSON';
  const { path, message } = error.issues[0]!;
  const text = [...path.map(String), message].join(': ');
  return text.slice(0, 300).replace(/\p{Cc}/gu, '?');
}

/** What {@link editionId} makes. */
const EDITION_ID = /^[\w-]{22}$/;

const lastGood = z.strictObject({ id: z.string().regex(EDITION_ID), source: z.string() });

const lastGoodFile = (dataDir: string) => join(dataDir, 'editions', 'current.json');

/** Notes which edition is served and where it came from, for a start without its source. */
export async function saveLastGood(
  dataDir: string,
  { id }: AdoptedEdition,
  source: string,
): Promise<void> {
  const file = lastGoodFile(dataDir);
  const note = JSON.stringify({ id, source });
  const noted = await readFile(file, 'utf8').catch(() => undefined);
  if (noted !== note) await writeAside(file, note);
}

/** Returns the edition that was last served from a source, unless it cannot be trusted. */
export async function readLastGood(
  dataDir: string,
  source: string,
): Promise<AdoptedEdition | undefined> {
  try {
    const noted = lastGood.parse(JSON.parse(await readFile(lastGoodFile(dataDir), 'utf8')));
    if (noted.source !== source) return undefined;
    const folder = join(dataDir, 'editions', noted.id);
    const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
    if (editionId(manifestBytes) !== noted.id) return undefined;
    return { id: noted.id, folder, manifest: parseManifest(manifestBytes, folder), manifestBytes };
  } catch {
    return undefined; // none was noted, or not by this version: the source must have one
  }
}

/** Ends the name of a folder that an edition is copied into. */
export const STAGING = '.staging';

/**
 * Makes room for a new edition, without all editions that are not served if it must.
 *
 * @throws an error of a full disk when there is not enough
 */
export async function ensureSpace(
  editions: string,
  bytes: number,
  served: string | undefined,
): Promise<void> {
  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(editions);
    return bavail * bsize;
  };
  if ((await free()) >= bytes) return;
  await dropEditions(editions, served === undefined ? [] : [served], 0);
  const left = await free();
  if (left >= bytes) return;
  const message = `the new edition needs ${bytes} bytes, and ${left} are free`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}

/** Removes what earlier attempts left, unless it is of the edition that is wanted now. */
export async function dropStaging(editions: string, wanted: string): Promise<void> {
  for (const name of await readdir(editions).catch(() => [])) {
    const path = join(editions, name);
    if (name.endsWith(STAGING) && path !== wanted) await rm(path, { recursive: true, force: true });
  }
}

/** Removes all editions but those to keep and the newest `others`. */
export async function dropEditions(
  editions: string,
  keep: readonly string[],
  others: number,
): Promise<void> {
  const found: { path: string; time: number }[] = [];
  for (const name of await readdir(editions)) {
    if (!EDITION_ID.test(name) || keep.includes(name)) continue;
    const path = join(editions, name);
    found.push({ path, time: (await stat(path)).mtimeMs });
  }
  found.sort((a, b) => b.time - a.time);
  for (const { path } of found.slice(others)) await rm(path, { recursive: true, force: true });
}
