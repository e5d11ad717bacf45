import { isIPv6 } from 'node:net';

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

  /** Counts a request. Seconds to wait when it is one too many, else 0. */
  take(address: string): number {
    if (this.#perMinute === 0) return 0;
    const client = clientOf(address);
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(client) ?? { tokens: this.#perMinute, at: now };
    const perMillisecond = this.#perMinute / 60_000;
    const available = Math.min(this.#perMinute, tokens + (now - at) * perMillisecond);
    const allowed = available >= 1;
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: allowed ? available - 1 : available, at: now });
    if (this.#buckets.size > MAX_CLIENTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return allowed ? 0 : Math.ceil((1 - available) / perMillisecond / 1000);
  }
}

/** One client may hold a whole IPv6 /64. */
function clientOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return groups.slice(0, 4).join(':');
}
