import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { putFile } from './put-file.ts';

/** Beside what Astro keeps between builds. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.astro/kept/', import.meta.url));
/** States the versions of the packages that make the bytes; an installed program has none, and keeps nothing. */
const PACKAGES = new URL('../../package-lock.json', import.meta.url);
const KEY_BYTES = 32;

/**
 * Returns the bytes that the last build made of the same inputs. If it made others, makes them, and keeps
 * them for the next build.
 *
 * @param name of the file that keeps them
 * @param inputs all that decides on the bytes, besides packages
 */
export async function keptBytes(
  name: string,
  inputs: readonly (string | Uint8Array)[],
  make: () => Promise<Uint8Array>,
  folder = FOLDER,
): Promise<Uint8Array> {
  if (!existsSync(PACKAGES)) return make();
  const hash = createHash('sha256').update(readFileSync(PACKAGES));
  for (const input of inputs) hash.update(String(input.length)).update(input);
  const key = hash.digest();
  const file = join(folder, name);
  const kept = existsSync(file) ? readFileSync(file) : Buffer.of();
  if (key.equals(kept.subarray(0, KEY_BYTES))) return kept.subarray(KEY_BYTES);
  const bytes = await make();
  try {
    const aside = `${file}.${process.pid}`; // builds may run at the same time
    putFile(aside, Buffer.concat([key, bytes]));
    renameSync(aside, file);
  } catch {
    // If the folder cannot be written, each build makes the bytes anew.
  }
  return bytes;
}
