import { isIPv4, isIPv6 } from 'node:net';
import { Lru } from '../../src/base/kept.ts';

/** With more clients than this, the least recently seen one is forgotten. */
const MAX_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds. */
  at: number;
}

/** Limits requests by a token bucket per client, which holds a minute's worth and refills evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Lru<Bucket>(MAX_CLIENTS);

  /** @param perMinute 0 for no limit @param now milliseconds */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Counts a request of a client. Returns 0, or the seconds to wait if it is over the limit.
   * A request that costs more than a minute's worth needs a full bucket and leaves a debt.
   */
  take(client: string, cost = 1): number {
    if (this.#perMinute === 0) return 0;
    const bucket = this.#bucketOf(client);
    const missing = Math.min(cost, this.#perMinute) - bucket.tokens;
    if (missing <= 0) bucket.tokens -= cost;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#perMinute) * 60);
  }

  /** Counts a cost that was not known before; it may leave a debt. */
  spend(client: string, cost: number): void {
    if (this.#perMinute > 0) this.#bucketOf(client).tokens -= cost;
  }

  #bucketOf(client: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(client, () => ({ tokens: this.#perMinute, at: now }));
    const refilled = bucket.tokens + ((now - bucket.at) * this.#perMinute) / 60_000;
    bucket.tokens = Math.min(this.#perMinute, refilled);
    bucket.at = now;
    return bucket;
  }
}

/** Groups of an IPv6 address that count: a provider gives a customer a /48 at most. */
const CUSTOMER_GROUPS = 3;

/** An IPv4 address, also within IPv6, or an IPv6 address in brackets; some proxies add the port. */
const WRITTEN = /^\[?(?:::ffff:)?([\d.]+)\]?(?::\d+)?$|^\[(.*)\](?::\d+)?$/i;

/**
 * Returns the network of one client, which all limits count by: its IPv4 address, or its IPv6 /48. A
 * trusted proxy may send something that is not an address; all of that counts as one client.
 */
export function clientNetwork(written = ''): string {
  const [, four, six] = WRITTEN.exec(written) ?? [];
  const address = four ?? six ?? written;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return '';
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) while (groups.length < CUSTOMER_GROUPS) groups.push('0');
  const numbers = groups
    .slice(0, CUSTOMER_GROUPS)
    .map((group) => Number.parseInt(group || '0', 16));
  return numbers.map((number) => number.toString(16)).join(':');
}
