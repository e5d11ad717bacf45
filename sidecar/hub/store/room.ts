import { sql, type RawBuilder } from 'kysely';
import type { Trx } from './pairs.ts';
import { rows } from './tables.ts';

/** Limits of the hub. */
export interface Limits {
  /** Subscriptions in total. */
  subscriptions: number;
  perHost: number;
  /** Waiting verifications, in total and per client network; they do not count as subscriptions. */
  pending: number;
  pendingPerClient: number;
}

/** The hub has no room for another request. */
export class HubFullError extends Error {
  override readonly name = 'HubFullError';
}

/** Names at one address share it, so there are more than of a host. */
const PER_NETWORK = 1_000;
/** Age at which the number of subscriptions is counted again. */
const COUNT_MS = 1_000;

/** Tells whether the hub has room, without counting all subscriptions for each request. */
export class Room {
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  #subscriptions = { count: 0, at: -Infinity };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes that this process added or removed subscriptions. */
  changed(by: number): void {
    this.#subscriptions.count += by;
  }

  /** @throws {HubFullError} if there is no room for another request */
  async ensure(trx: Trx, host: string, client: string, limits: Limits): Promise<void> {
    const now = this.#now();
    if (now - this.#subscriptions.at >= COUNT_MS) {
      this.#subscriptions = { count: await count(trx, sql`subscription`), at: now };
    }
    if (this.#subscriptions.count >= limits.subscriptions) {
      throw new HubFullError('The hub has as many subscriptions as it takes');
    }
    if (
      (await count(trx, sql`intent`)) >= limits.pending ||
      (await count(trx, sql`intent where client = ${client}`)) >= limits.pendingPerClient
    ) {
      throw new HubFullError('Too many requests wait to be verified');
    }
    if (limits.perHost === Infinity) return;
    if ((await count(trx, sql`subscription where host = ${host}`)) >= limits.perHost) {
      throw new HubFullError('The host of the callback has as many subscriptions as it may');
    }
  }

  /** Tells whether a network has as many subscriptions as it may. */
  async isFull(trx: Trx, network: string): Promise<boolean> {
    return (await count(trx, sql`subscription where network = ${network}`)) >= PER_NETWORK;
  }
}

export async function count(trx: Trx, from: RawBuilder<unknown>): Promise<number> {
  return (await rows<{ n: number }>(trx, sql`select count(*) as n from ${from}`))[0]!.n;
}
