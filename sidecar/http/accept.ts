import type { Encoding } from '../../src/edition/manifest.ts';
import { Lru } from '../../src/base/lru.ts';

/** Preferred first. */
const SUPPORTED: readonly Encoding[] = ['br', 'gzip'];

/** Longest header that is parsed; a longer one gets uncompressed bytes. */
const MAX_LENGTH = 256;

/** Reads the values of an Accept header with their weights (RFC 9110, section 12.4.2). */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}

/** Tells whether an Accept header lists a media type, by its name or by a range. */
export function acceptsType(accept: string, type: string): boolean {
  const weights = weightsIn(accept);
  const [group] = type.split('/', 1);
  return (weights.get(type) ?? weights.get(`${group}/*`) ?? weights.get('*/*') ?? 0) > 0;
}

/** Clients send few different headers. */
const KEPT = new Lru<readonly Encoding[]>(100);

/** Returns the encodings that a client accepts, best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings({ headers }: Pick<Request, 'headers'>): readonly Encoding[] {
  const header = headers.get('accept-encoding');
  if (header === null || header.length > MAX_LENGTH) return [];
  return KEPT.get(header, () => encodingsIn(header));
}

function encodingsIn(header: string): readonly Encoding[] {
  const weights = weightsIn(header);
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return SUPPORTED.filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= plain).sort(
    (a, b) => weightOf(b) - weightOf(a),
  );
}
