import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { H3Event } from 'h3';
import { variantETag } from '../../src/edition/etag.ts';
import type { Encoding } from '../../src/edition/manifest.ts';
import type { HeaderPairs } from '../../src/http.ts';
import { acceptedEncodings } from './negotiate.ts';
import { respond, type Answer } from './responses.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Below this size, compression saves nothing. */
export const MIN_BYTES = 1024;
/** Faster than gzip's default for smaller output; files, compressed by the build, have the highest. */
const BROTLI_QUALITY = 4;

/** Compressors for computed responses. They run in other threads than the event loop. */
const COMPRESSORS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body) => zip(body),
};

/** Vary of every response that {@link respondCompressed} sends. */
export const VARY: HeaderPairs[number] = ['vary', 'Accept-Encoding'];

/**
 * Returns the ETag of a computed response in the encoding that the client prefers. It must be known
 * before the body is, so a response that is too small to be compressed has it too.
 */
export function computedETag(event: H3Event, etag: string): string {
  const encoding = preferredEncoding(event);
  return encoding === undefined ? etag : variantETag(etag, encoding);
}

/** Responds with a computed body, compressed if it is large enough and the client accepts it. */
export function respondCompressed(
  event: H3Event,
  status: number,
  headers: HeaderPairs,
  body: Buffer,
): Answer {
  const send = (bytes: Buffer, encoding: HeaderPairs = []): Response => {
    const length: HeaderPairs[number] = ['content-length', String(bytes.length)];
    const sent = event.req.method === 'HEAD' ? null : bytes;
    return respond(status, [...headers, VARY, ...encoding, length], sent);
  };
  const encoding = preferredEncoding(event);
  if (encoding === undefined || body.length < MIN_BYTES) return send(body);
  return COMPRESSORS[encoding](body).then((bytes) => send(bytes, [['content-encoding', encoding]]));
}

function preferredEncoding({ req }: H3Event): Encoding | undefined {
  return acceptedEncodings(req.headers.get('accept-encoding'))[0];
}
