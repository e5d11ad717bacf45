import { clientAddress } from '../base/network.ts';

/** With more clients than this, the least recently seen one is forgotten. */
const MAX_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds. */
  at: number;
}

/**
 * Limits requests by a token bucket per client, which holds a minute's worth and refills evenly.
 */
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
   * Counts a request of a client. Returns 0, or the seconds to wait if it is over the limit.
   * A request that costs more than a minute's worth needs a full bucket and leaves a debt.
   */
  take(address: string, cost = 1): number {
    return this.takeAs(clientAddress(address), cost);
  }

  /** Like {@link take}, for a client known by something other than its address. */
  takeAs(client: string, cost = 1): number {
    if (this.#perMinute === 0) return 0;
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
