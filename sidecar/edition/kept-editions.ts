import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../src/edition/etag.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { writeAside } from '../base/write-aside.ts';
import { UnusableEditionError } from './source.ts';

/** An edition in a folder of DATA_DIR. */
export interface AdoptedEdition {
  /** Digest of edition.json, which contains the digest of every file. */
  digest: string;
  folder: string;
  manifest: Manifest;
  manifestBytes: Buffer;
  /** The signature that the source had of it. */
  signatureBytes?: Buffer | undefined;
}

/** Returns the digest of an edition.json, which names the folder of an edition. */
export function editionDigest(manifestBytes: Buffer): string {
  return sha256(manifestBytes).slice(0, 22);
}

/**
 * Parses and validates a manifest.
 *
 * @throws {UnusableEditionError} if it is invalid, of another version, or contradicts itself
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

/** Describes the first issue, shortened and printable, because names come from the manifest. */
function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'it is not JSON';
  const { path, message } = error.issues[0]!;
  const text = [...path.map(String), message].join(': ');
  return text.slice(0, 300).replace(/\p{Cc}/gu, '?');
}

const DIGEST = /^[\w-]{22}$/;

/** `id` is the digest of the edition. */
const lastGood = z.strictObject({ id: z.string().regex(DIGEST), source: z.string() });

const lastGoodFile = (dataDir: string) => join(dataDir, 'editions', 'current.json');

/** Saves the digest and source of the served edition, for a start without its source. */
export async function saveLastGood(
  dataDir: string,
  { digest }: AdoptedEdition,
  source: string,
): Promise<void> {
  const file = lastGoodFile(dataDir);
  const text = JSON.stringify({ id: digest, source });
  const saved = await readFile(file, 'utf8').catch(() => undefined);
  if (saved !== text) await writeAside(file, text);
}

/** Returns the edition that was last served from a source, unless its manifest is damaged. */
export async function readLastGood(
  dataDir: string,
  source: string,
): Promise<AdoptedEdition | undefined> {
  try {
    const saved = lastGood.parse(JSON.parse(await readFile(lastGoodFile(dataDir), 'utf8')));
    if (saved.source !== source) return undefined;
    const folder = join(dataDir, 'editions', saved.id);
    const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
    const digest = editionDigest(manifestBytes);
    if (digest !== saved.id) return undefined;
    const manifest = parseManifest(manifestBytes, folder);
    const signatureBytes = await readFile(join(folder, SIGNATURE_FILE)).catch(() => undefined);
    return { digest, folder, manifest, manifestBytes, signatureBytes };
  } catch {
    return undefined; // none was saved, or by another version: the source must have one
  }
}

/** Keeps the signature of an edition beside its manifest. */
export async function keepSignature(
  adopted: AdoptedEdition,
  signatureBytes: Buffer,
): Promise<AdoptedEdition> {
  await writeAside(join(adopted.folder, SIGNATURE_FILE), signatureBytes);
  return { ...adopted, signatureBytes };
}

/** Suffix of the folder that an edition is copied into. */
export const STAGING = '.staging';

/**
 * Makes room for a new edition, if necessary by removing all editions but the served one.
 *
 * @throws an error of a full disk if there is not enough
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

/** Removes the folders of earlier attempts, except of the edition that is wanted now. */
export async function dropStaging(editions: string, wanted: string): Promise<void> {
  for (const name of await readdir(editions).catch(() => [])) {
    const path = join(editions, name);
    if (name.endsWith(STAGING) && path !== wanted) await rm(path, { recursive: true, force: true });
  }
}

/** Removes all editions except those to keep and the newest `others`. */
export async function dropEditions(
  editions: string,
  keep: readonly string[],
  others: number,
): Promise<void> {
  const found: { path: string; time: number }[] = [];
  for (const name of await readdir(editions)) {
    if (!DIGEST.test(name) || keep.includes(name)) continue;
    const path = join(editions, name);
    found.push({ path, time: (await stat(path)).mtimeMs });
  }
  found.sort((a, b) => b.time - a.time);
  for (const { path } of found.slice(others)) await rm(path, { recursive: true, force: true });
}
