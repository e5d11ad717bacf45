import { isIPv4, isIPv6 } from 'node:net';

/** Beyond this many clients the one not seen for longest is forgotten. */
const MAX_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds. */
  at: number;
}

/** A token bucket for each client: a minute's worth at once, refilled evenly. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param perMinute 0 for no limit @param now milliseconds */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Counts a request of a client and returns the seconds to wait when it is one too many, else 0.
   * A request that costs more than a minute's worth needs a full bucket and leaves a debt.
   */
  take(address: string, cost = 1): number {
    if (this.#perMinute === 0) return 0;
    const client = clientOf(address);
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(client) ?? { tokens: this.#perMinute, at: now };
    const perMillisecond = this.#perMinute / 60_000;
    const available = Math.min(this.#perMinute, tokens + (now - at) * perMillisecond);
    const needed = Math.min(cost, this.#perMinute);
    const allowed = available >= needed;
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: allowed ? available - cost : available, at: now });
    if (this.#buckets.size > MAX_CLIENTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return allowed ? 0 : Math.ceil((needed - available) / perMillisecond / 1000);
  }
}

/**
 * Returns what a client has to itself: its IPv4 address, or its IPv6 /64. What is no address, as a
 * trusted proxy may state, is one client.
 */
function clientOf(address: string): string {
  return prefixOf(address, 4);
}

/**
 * Returns what one customer of a provider may have: an IPv4 address, or an IPv6 /48. What is no
 * address is one network.
 */
export function clientNetwork(address: string): string {
  return prefixOf(address, 3);
}

function prefixOf(address: string, groupCount: number): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return '';
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) while (groups.length < groupCount) groups.push('0');
  return groups.slice(0, groupCount).join(':');
}
