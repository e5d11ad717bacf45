import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file at once: writes it beside its place, flushes it, and renames it. A crash leaves
 * the old file or the new one. The name beside it is hidden, so it is never a file of an edition;
 * one file must not be written twice at the same time.
 *
 * @param mode permissions of the file
 * @throws when the data cannot be read to its end or written; the old file is then still there
 */
export async function writeAside(
  file: string,
  data: string | Buffer | AsyncIterable<Buffer>,
  mode = 0o666,
): Promise<void> {
  const aside = asideOf(file);
  try {
    await writeFile(aside, data, { flush: true, mode });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Returns the name beside a file under which its new content is written first. */
export function asideOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.part`);
}

/** Returns the bytes of a file; undefined if there is none. */
export async function readIfPresent(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
