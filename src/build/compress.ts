import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Encoding } from '../edition/manifest.ts';

/** Smaller encoded forms are not written: small documents would need hundreds of further files. */
const MIN_BYTES = 1024;
/**
 * Pages and their programs have no gzip form beside brotli: over https, browsers have long taken that. Feed
 * readers, HTTP libraries and caches that ask their origin take gzip alone.
 */
const FOR_BROWSERS = /^text\/(html|javascript)/;
/** An encoded file must be smaller than this share of the plain one to earn its place. */
const WORTH_IT = 0.9;
/** The level of both encodings: 9 takes half as long again, for files less than 1 % smaller. */
const LEVEL = 6;
/** Bounds of the brotli window, in bits (RFC 7932, section 9.1, without the smallest). */
const WINDOW_BITS = { min: 16, max: 22 };

/** Not the database: browsers read it by ranges, and take its length from a HEAD. */
const COMPRESSIBLE =
  /^(text\/|image\/svg|application\/(json|xml|atom\+xml|rsl\+xml|manifest\+json|x-ndjson))/;

/** File name suffix of each encoding. */
export const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

/**
 * Returns the encoded variants that are worth having, always the same for the same bytes. Several threads at
 * once take a third more processor time.
 */
export function compress(bytes: Buffer, mediaType: string): Partial<Record<Encoding, Buffer>> {
  if (bytes.length < MIN_BYTES || !COMPRESSIBLE.test(mediaType)) return {};
  const isWorthIt = ({ length }: Buffer) => length >= MIN_BYTES && length < bytes.length * WORTH_IT;
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: LEVEL,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
    },
  });
  const gz = FOR_BROWSERS.test(mediaType) ? undefined : gzipSync(bytes, { level: LEVEL });
  return { ...(isWorthIt(br) && { br }), ...(gz && isWorthIt(gz) && { gzip: gz }) };
}

/** A window that holds the file is enough; the default's 4 MB are allocated for every file. */
function windowBits(size: number): number {
  const { min, max } = WINDOW_BITS;
  return Math.min(max, Math.max(min, Math.ceil(Math.log2(size + 16))));
}
