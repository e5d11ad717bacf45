import { CACHE_NOTHING, SECURITY_HEADERS, type HeaderPairs } from '../../src/http.ts';
import { refused } from './message.ts';

/** Names that every machine has for itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/;

const HEADERS: HeaderPairs = [
  ['cache-control', CACHE_NOTHING],
  ...Object.entries(SECURITY_HEADERS),
  ['access-control-expose-headers', 'Mcp-Session-Id, Mcp-Protocol-Version, Retry-After'],
];
const HEADERS_FOR_ANY_ORIGIN: HeaderPairs = [...HEADERS, ['access-control-allow-origin', '*']];

export interface AccessSettings {
  /** Origins whose pages may call from a browser, besides the site's own; `*` allows any. */
  origins: readonly string[];
  /** Host names to respond to; `*` allows any, none means the site's own and loopback. */
  hosts: readonly string[];
}

/**
 * Decides which hosts and origins may call. The check of the host prevents DNS rebinding, where a
 * page's name is made to point at this machine (MCP 2025-11-25, basic/transports, security
 * warning).
 */
export class Access {
  readonly #settings: AccessSettings;
  readonly #baseUrl: () => string;

  /** @param baseUrl returns the base URL of the current edition */
  constructor(settings: AccessSettings, baseUrl: () => string) {
    this.#settings = settings;
    this.#baseUrl = baseUrl;
  }

  /**
   * @param host as in the header, with or without a port
   * @param origin null if the request has none
   *
   * @throws {McpError} 403 unless both are allowed
   */
  check(host: string, origin: string | null): void {
    const name = HOST.exec(host)?.[1] ?? '';
    const { hosts } = this.#settings;
    const served = hosts.length > 0 ? hosts : [...LOOPBACK, new URL(this.#baseUrl()).hostname];
    if (!allows(served, name)) throw refused(403, 'This host name is not served here');
    if (origin !== null && !this.#allowsOrigin(origin)) {
      throw refused(403, 'This origin is not allowed');
    }
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

/** Tells whether a list has a name, in whatever case, or any. */
function allows(list: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  return list.some((each) => each === '*' || each.toLowerCase() === wanted);
}
