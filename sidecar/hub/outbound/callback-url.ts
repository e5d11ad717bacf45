import { isIP } from 'node:net';
import { AddressRule } from './address-rule.ts';

/** A callback that may be called, taken apart for a request. */
export interface Callback {
  /** To resolve and to connect to: a name without a dot at its end, or an address without brackets. */
  hostname: string;
  port: number;
  /** The Host header. */
  host: string;
  /** Path and query, byte for byte as they were given. */
  target: string;
}

/**
 * What is wrong with a callback, as the rest of a sentence that begins with it ("has a fragment");
 * undefined when nothing is. Only its text is looked at: what a name resolves to is checked when it
 * is called.
 *
 * @param allow CIDRs exempt from the private-address rule
 */
export function callbackFault(url: string, allow: readonly string[]): string | undefined {
  const callback = readCallback(url, new AddressRule(allow));
  return typeof callback === 'string' ? callback : undefined;
}

/** The callback, or what is wrong with it as `callbackFault` says it. */
export function readCallback(url: string, rule: AddressRule): Callback | string {
  if (!/^[\x21-\x7e]*$/.test(url) || url.includes('\\')) {
    return 'has a character that must be percent-encoded';
  }
  // The same split that the URL parser makes of such text, but the rest stays as it was written.
  const [, authority, rest] = /^https:\/\/([^/?#]+)([^#]*)(?:#.*)?$/i.exec(url) ?? [];
  if (authority === undefined || rest === undefined || !URL.canParse(url)) {
    return 'is not an https URL';
  }
  if (url.includes('#')) return 'has a fragment';
  if (authority.includes('@')) return 'has a user name or password';
  const { hostname: parsed, port: given } = new URL(url);
  const port = given === '' ? 443 : Number(given);
  if (port !== 443 && port < 1024) return 'has a port that is neither 443 nor above 1023';
  const hostname = parsed.replace(/^\[|\]$|\.$/g, '');
  const address = isLocalhost(hostname) ? LOOPBACK : hostname;
  if (isIP(address) === 0) {
    if (hostname.length > 253 || !HOST_NAME.test(hostname)) return 'has no valid host name';
  } else if (!rule.permits(address)) return 'has a private or reserved address';
  const name = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return {
    hostname,
    port,
    host: port === 443 ? name : `${name}:${port}`,
    target: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

/** Letters, digits, hyphens (RFC 1123, section 2.1), and the underscore that some names have. */
const HOST_NAME = /^([\w-]{1,63}\.)*[\w-]{1,63}$/;

/** What `localhost` and the names under it mean (RFC 6761, section 6.3). */
export const LOOPBACK = '127.0.0.1';

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname);
}

/**
 * A callback with parameters added to its own query, which stays as it is, byte for byte (WebSub,
 * section 5.3).
 */
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
