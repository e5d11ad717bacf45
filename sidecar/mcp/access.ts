import {
  CACHE_NOTHING,
  PREFLIGHT_SECONDS,
  SECURITY_HEADERS,
  type HeaderPairs,
} from '../../src/http.ts';

/** Names that every machine has for itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/;

/** Methods of the endpoint, as in Allow. */
export const METHODS = 'POST, DELETE, OPTIONS';

/** Headers of the response to a preflight request. */
export const PREFLIGHT_HEADERS: HeaderPairs = [
  ['allow', METHODS],
  ['access-control-allow-methods', METHODS],
  [
    'access-control-allow-headers',
    'Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  ],
  ['access-control-max-age', PREFLIGHT_SECONDS],
];

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
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  /** True if no hosts are set. */
  readonly #ownHosts: boolean;
  readonly #baseUrl: () => string;
  #ownBaseUrl = '';
  #ownHost = '';

  /** @param baseUrl returns the base URL of the current edition */
  constructor({ origins, hosts }: AccessSettings, baseUrl: () => string) {
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.#hosts = new Set((hosts.length > 0 ? hosts : LOOPBACK).map((host) => host.toLowerCase()));
    this.#ownHosts = hosts.length === 0;
    this.#baseUrl = baseUrl;
  }

  allowsOrigin(origin: string): boolean {
    const name = origin.toLowerCase();
    return this.#origins.has('*') || this.#origins.has(name) || name === this.#baseUrl();
  }

  /** @param host as in the header, with or without a port */
  allowsHost(host: string): boolean {
    const name = HOST.exec(host)?.[1]?.toLowerCase() ?? '';
    return this.#hosts.has(name) || this.#hosts.has('*') || (this.#ownHosts && this.#isOwn(name));
  }

  /** Returns the headers of every response to this origin (Fetch standard, section 3.3). */
  headersFor(origin: string | null): HeaderPairs {
    if (this.#origins.has('*')) return HEADERS_FOR_ANY_ORIGIN;
    const varied: HeaderPairs = [...HEADERS, ['vary', 'Origin']];
    if (origin === null || !this.allowsOrigin(origin)) return varied;
    return [...varied, ['access-control-allow-origin', origin]];
  }

  #isOwn(name: string): boolean {
    const baseUrl = this.#baseUrl();
    if (baseUrl !== this.#ownBaseUrl) {
      this.#ownBaseUrl = baseUrl;
      this.#ownHost = new URL(baseUrl).hostname;
    }
    return name === this.#ownHost;
  }
}
