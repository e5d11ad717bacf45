import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { H3Event } from 'h3';
import { strongETag, variantETag } from '../../src/edition/etag.ts';
import type { Encoding } from '../../src/edition/manifest.ts';
import type { HeaderPairs } from '../../src/http.ts';
import { ATOM_TYPE } from '../../src/paths.ts';
import type { Prepared, Representation } from '../edition/file-store.ts';
import { endByCondition, respond } from './responses.ts';

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

/** Returns the encodings that a client accepts, best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  if (header === null || header.length > MAX_LENGTH) return [];
  const weights = weightsIn(header);
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return SUPPORTED.filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= plain).sort(
    (a, b) => weightOf(b) - weightOf(a),
  );
}

/** Returns the representation of a resource that a client prefers. */
export function negotiate({ identity, encoded }: Prepared, headers: Headers): Representation {
  for (const encoding of acceptedEncodings(headers.get('accept-encoding'))) {
    const representation = encoded[encoding];
    if (representation) return representation;
  }
  return identity;
}

/**
 * Returns a feed as plain XML, with the same bytes, for a person who opens it: browsers apply its
 * style sheet, while Chromium shows `application/atom+xml` as text. Only a navigation requests a
 * document (Fetch Metadata, section 2.1); feed readers and programs get the feed's own type.
 */
export function asXmlForBrowsers(prepared: Prepared, headers: Headers): Prepared {
  const { resource, identity, encoded } = prepared;
  if (resource.type !== ATOM_TYPE || headers.get('sec-fetch-dest') !== 'document') return prepared;
  const documents = Object.entries(encoded).map(([name, each]) => [name, asXml(each)]);
  return { resource, identity: asXml(identity), encoded: Object.fromEntries(documents) };
}

function asXml(feed: Representation): Representation {
  const etag = variantETag(feed.etag, 'xml');
  const own: Record<string, string> = { etag, 'content-type': 'application/xml' };
  const replace = ([name, value]: [string, string]): [string, string] => [name, own[name] ?? value];
  return {
    ...feed,
    etag,
    headers: feed.headers.map(replace),
    notModified: feed.notModified.map(replace),
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Below this size, compression saves nothing. */
export const MIN_BYTES = 1024;
/**
 * Parameters for 20 kB in a fifth of a millisecond: quality 4 makes the output 2 percent smaller and takes
 * almost twice as long, and the default window takes longer to prepare than the rest.
 */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

/** Compressors for computed responses. They run in other threads than the event loop. */
const COMPRESSORS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => brotli(body, { params: BROTLI }),
  gzip: (body) => zip(body),
};

/** Vary of every response that {@link respondEncoded} sends. */
export const VARY: HeaderPairs[number] = ['vary', 'Accept-Encoding'];

/**
 * Returns the ETag of a computed response in the encoding that the client prefers. It must be known
 * before the body is, so a response that is too small to be compressed has it too.
 */
export function computedETag(event: H3Event, etag: string): string {
  const encoding = preferredEncoding(event);
  return encoding === undefined ? etag : variantETag(etag, encoding);
}

export interface Encoded {
  bytes: Buffer;
  encoding: Encoding | undefined;
}

/** Compresses a computed body if it is large enough and the client accepts it. */
export function encode(event: H3Event, body: Buffer): Encoded | Promise<Encoded> {
  const encoding = preferredEncoding(event);
  if (encoding === undefined || body.length < MIN_BYTES)
    return { bytes: body, encoding: undefined };
  return COMPRESSORS[encoding](body).then((bytes) => ({ bytes, encoding }));
}

/** Responds with a body that {@link encode} returned for this client. */
export function respondEncoded(
  event: H3Event,
  status: number,
  headers: HeaderPairs,
  { bytes, encoding }: Encoded,
): Response {
  const own: HeaderPairs = [VARY, ['content-length', String(bytes.length)]];
  if (encoding) own.push(['content-encoding', encoding]);
  return respond(status, [...headers, ...own], event.req.method === 'HEAD' ? null : bytes);
}

/** Responds with a computed body, compressed if possible. */
export async function respondCompressed(
  event: H3Event,
  status: number,
  headers: HeaderPairs,
  body: Buffer,
): Promise<Response> {
  return respondEncoded(event, status, headers, await encode(event, body));
}

/**
 * Responds with a computed body, unless the client has it.
 *
 * @param headers its type first, which a 304 leaves out
 * @param lastModified seconds since 1970
 */
export async function respondValidated(
  event: H3Event,
  headers: HeaderPairs,
  body: Buffer,
  lastModified?: number,
): Promise<Response> {
  const identity = strongETag(body);
  const etag = body.length < MIN_BYTES ? identity : computedETag(event, identity);
  const validators: HeaderPairs = [['etag', etag]];
  if (lastModified !== undefined) {
    validators.push(['last-modified', new Date(lastModified * 1000).toUTCString()]);
  }
  const notModified = () => [...validators, VARY, ...headers.slice(1)];
  return (
    endByCondition(event, { etag, lastModified }, notModified) ??
    respondCompressed(event, 200, [...validators, ...headers], body)
  );
}

export function preferredEncoding({ req }: H3Event): Encoding | undefined {
  return acceptedEncodings(req.headers.get('accept-encoding'))[0];
}
