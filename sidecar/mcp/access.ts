/** Of every machine itself, any port. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/;

export interface AccessSettings {
  /** Origins that may ask from a browser, or `*`. */
  origins: readonly string[];
  /** Host names that are answered, `*` for any; empty: the site's own and loopback. */
  hosts: readonly string[];
}

/**
 * Who is answered. A page whose name was made to point at this machine sends its own name as Host
 * (DNS rebinding; MCP 2025-11-25, basic/transports, security warning).
 */
export class Access {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #baseUrl: () => string;
  #ownBaseUrl = '';
  #ownHost = '';

  /** @param baseUrl of the edition served now */
  constructor({ origins, hosts }: AccessSettings, baseUrl: () => string) {
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.#hosts = new Set((hosts.length > 0 ? hosts : LOOPBACK).map((host) => host.toLowerCase()));
    this.#baseUrl = hosts.length > 0 ? () => '' : baseUrl;
  }

  get anyOrigin(): boolean {
    return this.#origins.has('*');
  }

  allowsOrigin(origin: string): boolean {
    return this.anyOrigin || this.#origins.has(origin.toLowerCase());
  }

  /** @param host as in the header, with or without a port */
  allowsHost(host: string): boolean {
    const name = HOST.exec(host)?.[1]?.toLowerCase() ?? '';
    return this.#hosts.has(name) || this.#hosts.has('*') || this.#isOwn(name);
  }

  #isOwn(name: string): boolean {
    const baseUrl = this.#baseUrl();
    if (baseUrl !== this.#ownBaseUrl) {
      this.#ownBaseUrl = baseUrl;
      this.#ownHost = new URL(baseUrl).hostname;
    }
    return name !== '' && name === this.#ownHost;
  }
}
