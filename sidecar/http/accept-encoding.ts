import type { Encoding } from '../../src/edition/manifest.ts';

/** Preferred first. */
const SUPPORTED: readonly Encoding[] = ['br', 'gzip'];
const MAX_REMEMBERED = 256;
const remembered = new Map<string, readonly Encoding[]>();

/** The encodings a client takes, best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  if (header === null) return [];
  const known = remembered.get(header);
  if (known) return known;
  const accepted = parse(header);
  if (remembered.size < MAX_REMEMBERED) remembered.set(header, accepted);
  return accepted;
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
