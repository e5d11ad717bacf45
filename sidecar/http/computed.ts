import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { H3Event } from 'h3';
import { variantETag, type Validators } from '../../src/edition/conditional.ts';
import { strongETag } from '../../src/edition/etag.ts';
import type { Encoding } from '../../src/edition/manifest.ts';
import type { HeaderPairs } from '../../src/http.ts';
import { acceptedEncodings, endByCondition, respondSized } from './responses.ts';

// Computed answers are sent in two steps: `variantFor` tells which representation a client gets, or that it
// has it already; then the body is made, and `answerComputed` compresses and sends it.

/** The representation of a computed answer that a client gets. */
interface Variant {
  etag: string;
  encoding: Encoding | undefined;
  /** All headers but those that depend on the bytes. */
  headers: HeaderPairs;
}

/** Below this size, compression saves nothing. */
const MIN_BYTES = 1024;
/** Up to this size, compressing a body takes less time than handing it to another thread. */
const SHORT_BYTES = 32 * 1024;
/**
 * Quality 4 makes the output 2 percent smaller and takes almost twice as long. A window much larger than
 * the body takes longer to prepare than the rest, and its memory makes the garbage collector run more often.
 *
 * @param window as the logarithm of its bytes
 */
const brotliOptions = (window: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: window },
});
const SHORT = brotliOptions(16);
const LONG = brotliOptions(18);

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses a computed body, a long one in another thread than the event loop. */
export function compressBody(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (body.length > SHORT_BYTES) return encoding === 'br' ? brotli(body, LONG) : zip(body);
  return encoding === 'br' ? brotliCompressSync(body, SHORT) : gzipSync(body);
}

/**
 * Returns the representation that a client gets, or the response that its conditions end the request with.
 *
 * @param headers its type first, which a 304 leaves out
 * @param known of the uncompressed body; the ETag of a body whose size is not known yet names an encoding
 *   even if it will be too small to be compressed
 */
export function variantFor(
  event: H3Event,
  headers: HeaderPairs,
  known: Validators & { size?: number },
): Variant | Response {
  const { etag: identity, lastModified, size = MIN_BYTES } = known;
  const encoding = size < MIN_BYTES ? undefined : acceptedEncodings(event.req)[0];
  const etag = encoding ? variantETag(identity, encoding) : identity;
  const own: HeaderPairs = [
    ['etag', etag],
    ['vary', 'Accept-Encoding'],
  ];
  if (lastModified !== undefined) {
    own.push(['last-modified', new Date(lastModified * 1000).toUTCString()]);
  }
  const ended = endByCondition(event, { etag, lastModified }, () => [...own, ...headers.slice(1)]);
  return ended ?? { etag, encoding, headers: [...headers, ...own] };
}

/** Answers with a body, compressed if that saves something. */
export async function answerComputed(variant: Variant, body: Buffer): Promise<Response> {
  const { encoding } = variant;
  return encoding && body.length >= MIN_BYTES
    ? answerVariant(variant, [await compressBody(body, encoding)])
    : answerVariant({ ...variant, encoding: undefined }, [body]);
}

/** Answers with a body that has the encoding of its variant. */
export function answerVariant({ encoding, headers }: Variant, pieces: readonly Buffer[]): Response {
  const own: HeaderPairs = encoding ? [['content-encoding', encoding]] : [];
  return respondSized(200, [...headers, ...own], pieces);
}

/** Answers with a body whose ETag is made of its bytes. @param headers its type first */
export async function answerByBytes(
  event: H3Event,
  headers: HeaderPairs,
  body: Buffer,
  lastModified?: number,
): Promise<Response> {
  const known = { etag: strongETag(body), lastModified, size: body.length };
  const variant = variantFor(event, headers, known);
  return variant instanceof Response ? variant : answerComputed(variant, body);
}
