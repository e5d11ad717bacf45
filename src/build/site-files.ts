import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteDigest, strongETag } from '../edition/etag.ts';
import {
  isAddress,
  ORIGIN_LIMITS,
  REDIRECTS,
  redirectTarget,
} from '../edition/untrusted-origin.ts';
import { CACHE_REVALIDATED } from '../http.ts';

/** A file or an address could not be read; the message names it. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  /** The status of the server's response, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Returns the location of a file of a site: an address, which may have a path, or a folder. */
export function placeOf(site: string, path: string): string {
  if (!isAddress(site)) return join(site, path);
  const base = new URL(site);
  // Whatever the path is, it stays on the host.
  return new URL(base.origin + base.pathname.replace(/\/*$/, '/') + path.replace(/^\/+/, '')).href;
}

export interface ReadLimits {
  /** Accept-Encoding; the answer is decoded. */
  encodings?: string;
  /** Decoded; more bytes are an error. */
  maxBytes?: number;
  /** Ends the reading of an address. */
  signal?: AbortSignal;
}

const READ_MS = 30_000;

/**
 * Reads a file or an address, past every cache that obeys.
 *
 * @returns undefined if there is nothing: no file, or 404
 * @throws {ReadError} also if an address leads to another host, is silent, or does not end
 */
export async function readIfThere(place: string, limits?: ReadLimits): Promise<Buffer | undefined> {
  if (!isAddress(place)) {
    return readFile(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new ReadError(error.message, undefined, { cause: error });
    });
  }
  const chunks: Uint8Array[] = [];
  const isThere = await receive(new URL(place), (chunk) => void chunks.push(chunk), limits);
  return isThere ? Buffer.concat(chunks) : undefined;
}

/** Reads as {@link readIfThere}. @throws {ReadError} if there is nothing, too */
export async function readBytes(place: string, limits?: ReadLimits): Promise<Buffer> {
  const bytes = await readIfThere(place, limits);
  if (bytes) return bytes;
  throw missing(place);
}

/** Returns the ETag that the bytes of a file or an address have, without keeping them. */
export async function readETag(place: string, limits?: ReadLimits): Promise<string> {
  if (!isAddress(place)) return strongETag(await readBytes(place));
  const hash = createHash('sha256');
  const isThere = await receive(new URL(place), (chunk) => void hash.update(chunk), limits);
  if (isThere) return quoteDigest(hash.digest('base64url'));
  throw missing(place);
}

function missing(place: string): ReadError {
  return isAddress(place)
    ? new ReadError(`${place} answered 404`, 404)
    : new ReadError(`${place}: there is no such file`);
}

/** Passes the decoded body of an address on. @returns false if it answers 404 */
async function receive(
  url: URL,
  take: (chunk: Uint8Array) => void,
  { encodings = 'identity', maxBytes = ORIGIN_LIMITS.manifestBytes, signal }: ReadLimits = {},
): Promise<boolean> {
  const silent = new AbortController();
  const end = () => silent.abort(new Error(`silent for ${ORIGIN_LIMITS.waitMs / 1000} s`));
  const silence = setTimeout(end, ORIGIN_LIMITS.waitMs);
  let status: number | undefined;
  try {
    for (let target = url, redirects = 0; ; redirects++) {
      const response = await fetch(target, {
        headers: { 'cache-control': CACHE_REVALIDATED, 'accept-encoding': encodings },
        redirect: 'manual',
        signal: AbortSignal.any([silent.signal, signal ?? AbortSignal.timeout(READ_MS)]),
      });
      status = response.status;
      if (response.ok) {
        await takeAll(response.body ?? [], take, maxBytes, () => silence.refresh());
        return true;
      }
      await response.body?.cancel();
      if (status === 404) return false;
      const location = response.headers.get('location');
      if (!REDIRECTS.has(status) || location === null || redirects === ORIGIN_LIMITS.redirects) {
        throw new ReadError(`${url.href} answered ${status}`, status);
      }
      target = redirectTarget(target, location);
    }
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const { cause, message } = error as Error & { cause?: Error };
    const reason = cause?.message || message;
    throw new ReadError(`${url.href} cannot be read: ${reason}`, status, { cause });
  } finally {
    clearTimeout(silence);
  }
}

async function takeAll(
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  take: (chunk: Uint8Array) => void,
  maxBytes: number,
  onChunk: () => void,
): Promise<void> {
  let length = 0;
  for await (const chunk of chunks) {
    onChunk();
    length += chunk.length;
    if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    take(chunk);
  }
}
