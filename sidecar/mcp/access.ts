import { isIP } from 'node:net';
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

  /** Only a front answers over https. */
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
