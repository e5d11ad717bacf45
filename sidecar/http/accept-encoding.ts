import type { Encoding } from '../../src/edition/manifest.ts';

/** Preferred first. */
const SUPPORTED: readonly Encoding[] = ['br', 'gzip'];

/** Characters of a header that are worth parsing; a longer one gets the plain bytes. */
const MAX_LENGTH = 256;

/** What browsers and common clients send: parsed once, because it comes with nearly every request. */
const COMMON: ReadonlyMap<string, readonly Encoding[]> = new Map(
  ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip, deflate', 'gzip', 'br', 'identity'].map(
    (header) => [header, parse(header)],
  ),
);

/** Returns the encodings that a client accepts, best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  if (header === null || header.length > MAX_LENGTH) return [];
  return COMMON.get(header) ?? parse(header);
}

function parse(header: string): readonly Encoding[] {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return SUPPORTED.filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= plain).sort(
    (a, b) => weightOf(b) - weightOf(a),
  );
}
