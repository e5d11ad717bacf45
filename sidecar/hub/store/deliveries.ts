import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { fairly, UNEXPIRED, type ClaimOptions } from './claims.ts';
import type { HubStore, HubTables } from './tables.ts';
import { untriedIds } from './untried.ts';

/** A subscription that is owed a version of its topic, held by this replica while the claim lasts. */
export interface ClaimedDelivery {
  id: number;
  claim: string;
  topicId: number;
  /** The topic's when it was claimed. */
  version: number;
  callback: string;
  host: string;
  secret: string | null;
  acknowledged: number;
  failures: number;
  expiresAt: number;
  /** By the database's clock. */
  claimedAt: number;
}

/** What became of a delivery. */
export type Verdict =
  | { kind: 'delivered'; version: number }
  | { kind: 'retry'; failures: number; delayMs: number }
  | { kind: 'removed' }
  /** It was not begun, or cut off by a shutdown: it counts for nothing. */
  | { kind: 'released' };

export interface Settled {
  delivery: ClaimedDelivery;
  verdict: Verdict;
}

const EXPIRED_AT_ONCE = 1_000;

/** What is owed to subscriptions: how it is taken and settled. */
export class Deliveries {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /**
   * Takes deliveries that are due: versions not yet tried, then those to be tried again. What is
   * under way is let be, also when a newer version has come: one at a time to a callback.
   */
  async claim(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    const untried = await this.#claim(options, (trx) => untriedIds(this.#store, trx, options));
    if (untried.length > 0) return untried;
    return this.#claim(options, (trx) =>
      fairly(this.#store, this.#toRetry(trx), 'subscription', options),
    );
  }

  #toRetry(trx: Transaction<HubTables>) {
    const now = this.#store.now();
    return trx
      .selectFrom('subscription')
      .select(['subscription.id', 'subscription.host'])
      .whereRef('acknowledged', '<', 'tried')
      .where('due_at', '<=', now)
      .where(UNEXPIRED, '>', now);
  }

  async #claim(
    { claimMs }: ClaimOptions,
    dueIn: (trx: Transaction<HubTables>) => Promise<number[]>,
  ): Promise<ClaimedDelivery[]> {
    const store = this.#store;
    const claim = randomUUID();
    return store.transaction(async (trx) => {
      const ids = await dueIn(trx);
      if (ids.length === 0) return [];
      const rows = await trx
        .updateTable('subscription')
        .set(({ selectFrom }) => ({
          claim,
          due_at: store.now(claimMs),
          tried: selectFrom('topic')
            .select('version')
            .whereRef('topic.id', '=', 'subscription.topic_id') as never,
        }))
        .where('id', 'in', ids)
        .returning(['id', 'topic_id as topicId', 'callback', 'host', 'secret'])
        .returning(['tried as version', 'acknowledged', 'failures', 'expires_at as expiresAt'])
        .returning(store.now().as('claimedAt'))
        .execute();
      return rows.map((row) => ({ ...row, claim }));
    });
  }

  /** Holds on to deliveries of a claim. @returns those that are still ours, their lease not ended */
  async hold(claim: string, ids: readonly number[], claimMs: number): Promise<number[]> {
    const store = this.#store;
    const held = await store.transaction((trx) =>
      trx
        .updateTable('subscription')
        .set({ due_at: store.now(claimMs) })
        .where('id', 'in', ids)
        .where('claim', '=', claim)
        .where('expires_at', '>', store.now())
        .returning('id')
        .execute(),
    );
    return held.map(({ id }) => id);
  }

  /** Writes what became of deliveries, all or none; what is no longer held is let be. */
  async settle(settled: readonly Settled[]): Promise<void> {
    const groups = new Map<string, Settled[]>();
    for (const one of settled) {
      const key = `${one.delivery.claim} ${JSON.stringify(one.verdict)}`;
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    await this.#store.transaction(async (trx) => {
      for (const group of groups.values()) {
        const { delivery, verdict } = group[0]!;
        const ids = group.map(({ delivery }) => delivery.id);
        if (verdict.kind === 'removed') {
          await trx
            .deleteFrom('subscription')
            .where('id', 'in', ids)
            .where('claim', '=', delivery.claim)
            .execute();
          continue;
        }
        await trx
          .updateTable('subscription')
          .set({ claim: null, ...this.#changes(verdict) })
          .where('id', 'in', ids)
          .where('claim', '=', delivery.claim)
          .execute();
      }
    });
  }

  #changes(verdict: Exclude<Verdict, { kind: 'removed' }>) {
    switch (verdict.kind) {
      case 'delivered': {
        const { version } = verdict;
        // The content may be newer than what was claimed: then the newer version is done too.
        const tried = sql<number>`case when tried < ${version} then ${version} else tried end`;
        return { acknowledged: version, tried, failures: 0, due_at: 0 };
      }
      case 'retry':
        return { failures: verdict.failures, due_at: this.#store.now(verdict.delayMs) };
      case 'released':
        return { due_at: 0 };
    }
  }

  /** Ends every claim: whoever held one is gone. */
  async endClaims(): Promise<void> {
    await this.#store.db
      .updateTable('subscription')
      .set({ claim: null, due_at: 0 })
      .where('claim', 'is not', null)
      .execute();
  }

  /** Removes subscriptions whose lease has ended. @returns how many */
  async removeExpired(): Promise<number> {
    const store = this.#store;
    return store.transaction(async (trx) => {
      const expired = trx
        .selectFrom('subscription')
        .select('id')
        .where('expires_at', '<=', store.now())
        .orderBy('expires_at')
        .limit(EXPIRED_AT_ONCE);
      const rows = await store.unlocked(expired, 'subscription').execute();
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await trx.deleteFrom('subscription').where('id', 'in', ids).execute();
      return ids.length;
    });
  }
}
