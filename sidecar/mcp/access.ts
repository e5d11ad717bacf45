import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { Lru } from '../../src/base/kept.ts';
import { MCP_SESSION_VERSIONS } from '../../src/schema/mcp-catalog.ts';
import {
  CACHE_NOTHING,
  EXPOSED_HEADERS,
  SECURITY_HEADERS,
  type HeaderPairs,
} from '../../src/http.ts';
import type { Logger } from '../base/log.ts';
import { publicAddresses } from '../hub/outbound/address-rule.ts';
import { refused } from './message.ts';

/** The name that every machine has for itself. */
const LOOPBACK = 'localhost';

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/;

const HEADERS: HeaderPairs = [
  ['cache-control', CACHE_NOTHING],
  ...Object.entries(SECURITY_HEADERS),
  ['access-control-expose-headers', EXPOSED_HEADERS],
];
const HEADERS_FOR_ANY_ORIGIN: HeaderPairs = [...HEADERS, ['access-control-allow-origin', '*']];

export interface AccessSettings {
  /** Origins whose pages may call from a browser, besides the site's own; `*` allows any. */
  origins: readonly string[];
  /** Host names to respond to, besides the site's own and this machine's; `*` allows any. */
  hosts: readonly string[];
  /** True if the operator trusts a proxy in front. */
  hasFront: boolean;
}

/**
 * Decides which hosts and origins may call. The check of the host prevents DNS rebinding, where a
 * page's name is made to point at a machine that only its own browser reaches (MCP 2025-11-25,
 * basic/transports, security warning). Behind a front there is nothing to rebind, and many fronts
 * send the name of the sidecar instead of the site's.
 */
export class Access {
  readonly #settings: AccessSettings;
  readonly #baseUrl: () => string;
  readonly #logger: Logger;
  #isLogged = false;

  /** @param baseUrl returns the base URL of the current edition */
  constructor(settings: AccessSettings, baseUrl: () => string, logger: Logger) {
    this.#settings = settings;
    this.#baseUrl = baseUrl;
    this.#logger = logger;
  }

  /**
   * @param host as in the header, with or without a port
   * @param origin null if the request has none
   * @param address of this machine, as the client reached it; undefined in memory
   *
   * @throws {McpError} 403 unless both are allowed
   */
  check(host: string, origin: string | null, address?: string): void {
    if (this.#canBeRebound(address) && !this.#isServed(host)) {
      const advice =
        'MCP_ALLOWED_HOSTS of the sidecar can allow it, and behind a proxy TRUST_PROXY';
      // Once: a client can send any number of names.
      if (!this.#isLogged)
        this.#logger.log('warn', `/mcp refuses a host name: ${advice}`, { host });
      this.#isLogged = true;
      throw refused(403, `This host name is not served here: ${advice}`);
    }
    if (origin !== null && !this.#allowsOrigin(origin)) {
      throw refused(
        403,
        'This origin is not allowed: MCP_ALLOWED_ORIGINS of the sidecar can allow it',
      );
    }
  }

  /** Only a front server answers over https. */
  #canBeRebound(address: string | undefined): boolean {
    if (this.#settings.hasFront || this.#baseUrl().startsWith('https:')) return false;
    return !publicAddresses.permits(address?.replace(/^::ffff:/i, '') ?? '');
  }

  #isServed(host: string): boolean {
    const name = HOST.exec(host)?.[1] ?? '';
    if (isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true; // is no name that leads elsewhere
    return allows([LOOPBACK, new URL(this.#baseUrl()).hostname, ...this.#settings.hosts], name);
  }

  /** Returns the headers of every response to this origin (Fetch standard, section 3.3). */
  headersFor(origin: string | null): HeaderPairs {
    if (this.#settings.origins.includes('*')) return HEADERS_FOR_ANY_ORIGIN;
    const varied: HeaderPairs = [...HEADERS, ['vary', 'Origin']];
    if (origin === null || !this.#allowsOrigin(origin)) return varied;
    return [...varied, ['access-control-allow-origin', origin]];
  }

  #allowsOrigin(origin: string): boolean {
    return allows([...this.#settings.origins, new URL(this.#baseUrl()).origin], origin);
  }
}

/** Tells whether a list has a name, in any case, or allows all names. */
function allows(list: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  return list.some((each) => each === '*' || each.toLowerCase() === wanted);
}

export function isSessionVersion(version: string): boolean {
  return (MCP_SESSION_VERSIONS as readonly string[]).includes(version);
}

/** Seconds until a session expires. */
export const SESSION_TTL = 24 * 60 * 60;

/** Ended sessions to remember. */
const REMEMBERED = 10_000;

const MAC_BYTES = 18;
const MAX_LENGTH = 128;

/**
 * Session ids that need no store: `version.expiry.nonce.mac`. Every replica with the same secret
 * accepts them, and they survive restarts. An id is not a credential (contract, section 5.4); the
 * signature only rejects made-up ones.
 */
export class Sessions {
  readonly #secret: string;
  readonly #now: () => number;
  readonly #ended = new Lru<true>(REMEMBERED);

  /** @param now seconds since 1970 */
  constructor(secret: string, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  issue(version: string): string {
    const expiry = (this.#now() + SESSION_TTL).toString(36);
    const nonce = randomBytes(9).toString('base64url');
    const payload = `${version}.${expiry}.${nonce}`;
    return `${payload}.${this.#mac(payload)}`;
  }

  /** Tells whether an id was issued with this secret, has not expired, and was not ended here. */
  isLive(id: string): boolean {
    if (id.length > MAX_LENGTH || this.#ended.find(id)) return false;
    const cut = id.lastIndexOf('.');
    const payload = id.slice(0, cut);
    // Compared as text: Base64 has several spellings of the same bytes, and only one was ended.
    const given = Buffer.from(id.slice(cut + 1));
    const right = Buffer.from(this.#mac(payload));
    if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
    return Number.parseInt(payload.split('.')[1]!, 36) > this.#now();
  }

  /** Ends a live session on this replica. */
  end(id: string): void {
    this.#ended.keep(id, true);
  }

  #mac(payload: string): string {
    const digest = createHmac('sha256', this.#secret).update(payload).digest();
    return digest.subarray(0, MAC_BYTES).toString('base64url');
  }
}
