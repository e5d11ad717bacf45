import { sql } from 'kysely';
import { domainOf, isPrivate } from '../hosts.ts';
import { count, isAlive, rows, type HubStore, type Trx } from './tables.ts';

/** The hub has no room for another request. */
export class HubFullError extends Error {
  override readonly name = 'HubFullError';
  /** A later request may find room. */
  readonly isBrief: boolean;

  constructor(message: string, isBrief: boolean) {
    super(message);
    this.isBrief = isBrief;
  }
}

/** The operator's own hosts, at private addresses, and their clients have no such limits. */
export const LIMITS = {
  /** Subscriptions of a host, and of all hosts below a domain. */
  perHost: 200,
  perDomain: 1_000,
  /** Requests that wait to be verified, in total and per client network; they take no room. */
  waiting: 10_000,
  waitingPerClient: 100,
};

const WAITS = sql`mode <> 'denied'`;

/** Tells if the hub has room for a subscription or a request. */
export class Room {
  readonly #store: HubStore;
  readonly #maxSubscriptions: number;
  readonly #limits: typeof LIMITS;

  constructor(store: HubStore, maxSubscriptions: number, limits = LIMITS) {
    this.#store = store;
    this.#maxSubscriptions = maxSubscriptions;
    this.#limits = limits;
  }

  /** Returns why there is no room for a subscription of a host; undefined if there is room. */
  async fullFor(trx: Trx, host: string): Promise<string | undefined> {
    const { perHost, perDomain } = this.#limits;
    await this.#store.advisoryLock(trx, 'the room of the hub');
    const ofHub = [sql``, this.#maxSubscriptions, 'the hub'] as const;
    const own = [
      [sql`and host = ${host}`, perHost, 'the host of the callback'],
      [sql`and domain = ${domainOf(host)}`, perDomain, 'the domain of the callback'],
    ] as const;
    for (const [those, limit, who] of [ofHub, ...(isPrivate(host) ? [] : own)]) {
      const taken = await count(trx, sql`subscription where ${isAlive(this.#store)} ${those}`);
      if (taken >= limit) return `${who} has as many subscriptions as it may`;
    }
    return undefined;
  }

  /**
   * Makes room for a request that waits. If too many wait, it takes the place of the newest one of the
   * client network that has the most, unless its own has about as many.
   *
   * @throws {HubFullError} if there is no room
   */
  async makeWaitingRoom(trx: Trx, host: string, client: string): Promise<void> {
    const { waiting, waitingPerClient } = this.#limits;
    const own = await count(trx, sql`intent where client = ${client} and ${WAITS}`);
    const isFull = (await count(trx, sql`intent where ${WAITS}`)) >= waiting;
    const [largest] = isFull
      ? await rows<{ client: string; n: number }>(
          trx,
          sql`select client, count(*) as n from intent where ${WAITS}
            group by client order by n desc limit 1`,
        )
      : [];
    if ((own >= waitingPerClient && !isPrivate(host)) || (isFull && (largest?.n ?? 0) <= own + 1)) {
      throw new HubFullError('Too many requests wait to be verified', true);
    }
    if (!largest) return;
    await sql`delete from intent where id = (
      select max(id) from intent where client = ${largest.client} and ${WAITS})`.execute(trx);
  }
}
