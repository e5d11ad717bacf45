import { isIP } from 'node:net';
import { AddressRule } from './address-rule.ts';

/** A permitted callback, parsed for a request. */
export interface Callback {
  /** The Host header: name without a final dot, and the port if it is not 443. */
  host: string;
  /** Path and query, byte for byte as given. */
  target: string;
}

/**
 * Returns the issue of a callback, as the rest of a sentence that begins with it ("has a
 * fragment"), or undefined. It checks the text only; the addresses of a name are checked on every
 * request.
 *
 * @param allow CIDRs exempt from the private-address rule
 */
export function callbackIssue(url: string, allow: readonly string[]): string | undefined {
  const callback = readCallback(url, new AddressRule(allow));
  return typeof callback === 'string' ? callback : undefined;
}

/** Parses a callback; returns its issue as `callbackIssue` does. */
export function readCallback(url: string, rule: AddressRule): Callback | string {
  if (!/^[\x21-\x7e]*$/.test(url) || url.includes('\\')) {
    return 'has a character that must be percent-encoded';
  }
  // Splits like the URL parser, but keeps the rest as written.
  const [, authority, rest] = /^https:\/\/([^/?#]+)([^#]*)(?:#.*)?$/i.exec(url) ?? [];
  const parsed = URL.parse(url);
  if (authority === undefined || rest === undefined || !parsed) return 'is not an https URL';
  if (url.includes('#')) return 'has a fragment';
  if (authority.includes('@')) return 'has a user name or password';
  const port = parsed.port === '' ? 443 : Number(parsed.port);
  if (port !== 443 && port < 1024) return 'has a port that is neither 443 nor above 1023';
  const hostname = parsed.hostname.replace(/^\[|\]$|\.$/g, '');
  const address = isLocalhost(hostname) ? LOOPBACK : hostname;
  if (isIP(address) === 0) {
    if (hostname.length > 253 || !HOST_NAME.test(hostname)) return 'has no valid host name';
  } else if (!rule.permits(address)) return 'has a private or reserved address';
  const name = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return {
    host: port === 443 ? name : `${name}:${port}`,
    target: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

/** Letters, digits, hyphens within (RFC 1123, section 2.1), and the underscore of some names. */
const HOST_NAME = /^((?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)$/;

/** The address of `localhost` and names below it (RFC 6761, section 6.3). */
export const LOOPBACK = '127.0.0.1';

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname);
}

/** Adds parameters to a callback's query, which stays byte for byte the same (WebSub, section 5.3). */
export function withParameters(
  callback: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!callback.includes('?')) return `${callback}?${added}`;
  return /[?&]$/.test(callback) ? callback + added : `${callback}&${added}`;
}
