import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MCP_SESSION_VERSIONS } from '../../src/schema/mcp-catalog.ts';
import { Lru } from '../../src/base/lru.ts';

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
