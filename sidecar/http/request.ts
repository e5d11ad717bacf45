import type { IncomingMessage } from 'node:http';
import { HTTPError } from 'h3';
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
 * Takes the path of the site off the target of a request.
 *
 * @param base `/reviews`; empty for a site at the root
 * @returns the error of a request for another site
 */
export function withoutBase(request: IncomingMessage, base: string): ErrorBody | undefined {
  const { url = '' } = request;
  if (base === '' || url === '*' || PROBES.has(url)) return undefined;
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const path = start === -1 ? '/' : url.slice(start);
  const rest = path.slice(base.length);
  if (!path.startsWith(base) || !/^($|[/?])/.test(rest)) return errorOf('not_found');
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}/`);
}

/**
 * Reads the body of a request as text. The rest of a larger body is read and discarded until the
 * request times out: closed with bytes unread, the connection would be reset and the response might
 * be lost on its way (RFC 9112, section 9.6).
 *
 * @returns undefined if the body is larger than `maxBytes`
 * @throws {HTTPError} 400 if the client left before its end
 */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) return undefined; // Node discards a body that nobody reads
  try {
    return length === null ? await readStream(request.body, maxBytes) : await request.text();
  } catch (cause) {
    throw new HTTPError({ status: 400, message: 'the body is incomplete', cause });
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> {
  if (!body) return '';
  const bytes = await collect(body.values({ preventCancel: true }), maxBytes);
  // It fails if the client leaves, who has the response by then.
  if (!bytes) body.pipeTo(new WritableStream()).catch(() => {});
  return bytes?.toString();
}
