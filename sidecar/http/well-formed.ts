import type { IncomingMessage } from 'node:http';
import type { ErrorBody } from '../../src/schema/error.ts';

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
 * Returns why a request must be refused before its address is parsed; undefined for a well-formed
 * one. Parsers of addresses disagree about odd hosts, and throw at some (RFC 9112, section 3.2).
 */
export function malformedRequest({
  httpVersion,
  rawHeaders,
  url = '',
}: IncomingMessage): ErrorBody | undefined {
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

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}/`);
}
