import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { HTTPError } from 'h3';
import { Lru } from '../../src/base/lru.ts';
import { HEALTH_PATH, READINESS_PATH } from '../../src/paths.ts';
import { errorOf, type ErrorBody } from '../../src/schema/error.ts';
import { collect } from '../base/collect.ts';

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

const BAD_HOST: ErrorBody = {
  error: 'bad_request',
  message: 'The request needs exactly one Host header with a valid host name.',
};
const BAD_TARGET: ErrorBody = {
  error: 'bad_request',
  message: 'The request target is not a valid address.',
};

/**
 * Returns the error of a request whose address must not be parsed; undefined if it is well-formed.
 * URL parsers disagree about odd hosts and throw at some (RFC 9112, section 3.2).
 */
export function malformedRequest({
  httpVersion,
  rawHeaders,
  url = '',
}: IncomingMessage): ErrorBody | undefined {
  if (!httpVersion.startsWith('1.')) return errorOf('http_version_not_supported');
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return BAD_HOST;
    host = rawHeaders[at + 1]!;
  }
  if (host === undefined ? httpVersion !== '1.0' : !isHost(host)) return BAD_HOST;
  if (url.startsWith('/') || url === '*') return undefined;
  const authority = ABSOLUTE_FORM.exec(url)?.[1];
  return authority !== undefined && isHost(authority) && URL.canParse(url) ? undefined : BAD_TARGET;
}

/** Paths of a site below a path that answer at the root too: probes know no site. */
const PROBES: ReadonlySet<string> = new Set([HEALTH_PATH, READINESS_PATH]);

/**
 * Takes the path of the site off the target of a request, and slashes that a client left between its own
 * address of the site and a path.
 *
 * @param base `/reviews`; empty for a site at the root
 * @returns the error of a request for another site
 */
export function withoutBase(request: IncomingMessage, base: string): ErrorBody | undefined {
  const { url = '' } = request;
  if (url === '*' || PROBES.has(url)) return undefined;
  if (base === '' && url.startsWith('/') && !url.includes('//')) return undefined;
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const [before, ...query] = (start === -1 ? '/' : url.slice(start)).split('?');
  const path = [before!.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  const rest = path.slice(base.length);
  if (!path.startsWith(base) || !/^($|[/?])/.test(rest)) return errorOf('not_found');
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

/** A service has few names. */
const HOSTS = new Lru<boolean>(100);

function isHost(text: string): boolean {
  return HOSTS.get(text, () => HOST.test(text) && URL.canParse(`http://${text}/`));
}

const DECODERS: Readonly<Record<string, typeof gunzip | undefined>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
};

/**
 * Reads the body of a request as text, decompressed. The rest of a larger body is read and discarded until
 * the request times out: closed with bytes unread, the connection would be reset and the response might
 * be lost on its way (RFC 9112, section 9.6).
 *
 * @returns undefined if the body is larger than `maxBytes`
 * @throws {HTTPError} 400 if the client left before its end or it cannot be decompressed, 415 if its
 *   Content-Encoding is unknown
 */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const { headers } = request;
  const length = headers.get('content-length');
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  const decode = DECODERS[encoding];
  if (!decode && encoding !== 'identity') {
    throw new HTTPError({ status: 415, message: 'Content-Encoding must be gzip, deflate or br' });
  }
  if (Number(length) > maxBytes) return undefined; // Node discards a body that nobody asks for
  try {
    if (length !== null && !decode) return await request.text();
    const bytes = await readStream(request.body, maxBytes);
    if (!decode || !bytes) return bytes?.toString();
    return (await promisify(decode)(bytes, { maxOutputLength: maxBytes })).toString();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new HTTPError({ status: 400, message: 'the body is incomplete or damaged', cause });
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (!body) return Buffer.alloc(0);
  const bytes = await collect(body.values({ preventCancel: true }), maxBytes);
  // The copy fails if the client leaves, which has the response by then.
  if (!bytes) body.pipeTo(new WritableStream()).catch(() => {});
  return bytes;
}
