import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_REVALIDATED } from '../http.ts';

/** A file or an address could not be read; the message names it. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  /** The server's response, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export function isUrl(site: string): boolean {
  return /^https?:/.test(site);
}

/** Returns the location of a file of a site: an address, which may have a path, or a folder. */
export function placeOf(site: string, path: string): string {
  if (!isUrl(site)) return join(site, path);
  const base = new URL(site);
  // Whatever the path is, it stays on the host.
  return new URL(base.origin + base.pathname.replace(/\/*$/, '/') + path.replace(/^\/+/, '')).href;
}

/**
 * Reads a file or an address, past every cache that obeys.
 *
 * @param encodings the Accept-Encoding; the answer is decoded
 * @returns undefined if there is nothing: no file, or 404
 * @throws {ReadError}
 */
export async function readIfThere(
  place: string,
  encodings = 'identity',
): Promise<Buffer | undefined> {
  if (!isUrl(place)) {
    return readFile(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new ReadError(error.message, undefined, { cause: error });
    });
  }
  try {
    const headers = { 'cache-control': CACHE_REVALIDATED, 'accept-encoding': encodings };
    const response = await fetch(place, { headers });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new ReadError(`${place} answered ${response.status}`, response.status);
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const { cause, message } = error as Error & { cause?: Error };
    const reason = cause?.message || message;
    throw new ReadError(`${place} cannot be reached: ${reason}`, undefined, { cause });
  }
}

/** Reads as {@link readIfThere}. @throws {ReadError} if there is nothing, too */
export async function readBytes(place: string, encodings?: string): Promise<Buffer> {
  const bytes = await readIfThere(place, encodings);
  if (bytes) return bytes;
  throw isUrl(place)
    ? new ReadError(`${place} answered 404`, 404)
    : new ReadError(`${place}: there is no such file`);
}
