import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { writeAside } from '../base/write-aside.ts';
import { describeEdition, type AdoptedEdition } from './adopt.ts';

/** `id` is the digest of the edition that was served last. */
const lastGood = z.strictObject({ id: z.string().regex(/^[\w-]{22}$/), source: z.string() });

const lastGoodFile = (dataDir: string) => join(dataDir, 'editions', 'current.json');

/** Saves the digest and source of the served edition, for a start without its source. */
export async function saveLastGood(
  dataDir: string,
  { digest }: AdoptedEdition,
  source: string,
): Promise<void> {
  await writeAside(lastGoodFile(dataDir), JSON.stringify({ id: digest, source }));
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
    const edition = describeEdition(dataDir, await readFile(join(folder, MANIFEST_FILE)), folder);
    if (edition.digest !== saved.id) return undefined;
    const signatureBytes = await readFile(join(folder, SIGNATURE_FILE)).catch(() => undefined);
    return { ...edition, signatureBytes };
  } catch {
    return undefined; // none was saved, or by another version: the source must have one
  }
}
