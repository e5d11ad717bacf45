import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { notVerified, request, verified, type Intent } from '../subscription.ts';
import { fairly } from './claims.ts';
import { HubFullError } from './hub-full-error.ts';
import { loadPair, savePair, type PairKey } from './pair-rows.ts';
import type { ClaimOptions } from './claims.ts';
import type { HubStore, HubTables } from './tables.ts';

/** A request whose turn it is, held by this replica while the claim lasts. */
export interface ClaimedIntent extends PairKey {
  id: number;
  claim: string;
  mode: Intent['mode'];
  topicUrl: string;
  host: string;
  /** Whether there is a subscription. */
  subscribed: boolean;
  /** What the subscriber is told: of the lease to come, or what is left of the one there is. */
  leaseSeconds: number;
  /** By the database's clock. */
  claimedAt: number;
}

/** The requests for subscriptions, and what becomes of them: how they are kept. */
export class Pairs {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /**
   * Keeps a request; when this returns it is on the disk.
   *
   * @param limit how many pairs there may be
   * @throws {HubFullError} when a new pair would be one too many
   */
  async request(
    topicUrl: string,
    callback: string,
    wish: Omit<Intent, 'version'>,
    limit: number,
  ): Promise<void> {
    await this.#store.transaction(async (trx) => {
      const { id: topicId, version } = await trx
        .selectFrom('topic')
        .select(['id', 'version'])
        .where('url', '=', topicUrl)
        .executeTakeFirstOrThrow();
      const key = { topicId, callback };
      const before = await loadPair(this.#store, trx, key);
      const after = request(before, { ...wish, version });
      const isNew = before.subscription === null && before.intents.length === 0;
      if (isNew && after !== before && (await countPairs(trx)) >= limit) throw new HubFullError();
      await savePair(trx, key, before, after);
    });
  }

  /** Takes requests whose turn it is. */
  async claim(options: ClaimOptions): Promise<ClaimedIntent[]> {
    const store = this.#store;
    const claim = randomUUID();
    return store.transaction(async (trx) => {
      const due = trx
        .selectFrom('intent')
        .select(['intent.id', 'intent.host'])
        .where('intent.due_at', '<=', store.now())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('intent as earlier')
                .select('earlier.id')
                .whereRef('earlier.topic_id', '=', 'intent.topic_id')
                .whereRef('earlier.callback', '=', 'intent.callback')
                .whereRef('earlier.id', '<', 'intent.id'),
            ),
          ),
        )
        .orderBy('intent.due_at')
        .orderBy('intent.id');
      const ids = await fairly(store, due, 'intent', options);
      if (ids.length === 0) return [];
      await trx
        .updateTable('intent')
        .set({ claim, due_at: store.now(options.claimMs) })
        .where('id', 'in', ids)
        .execute();
      const rows = await trx
        .selectFrom('intent')
        .innerJoin('topic', 'topic.id', 'intent.topic_id')
        .leftJoin('subscription', (join) =>
          join
            .onRef('subscription.topic_id', '=', 'intent.topic_id')
            .onRef('subscription.callback', '=', 'intent.callback'),
        )
        .select(['intent.id', 'intent.mode', 'intent.callback', 'intent.host'])
        .select(['intent.topic_id as topicId', 'topic.url as topicUrl'])
        .select(['intent.lease_seconds', 'subscription.expires_at'])
        .select(store.now().as('claimedAt'))
        .where('intent.id', 'in', ids)
        .orderBy('intent.id')
        .execute();
      return rows.map(({ lease_seconds, expires_at, ...row }) => {
        const left = expires_at === null ? 0 : Math.ceil((expires_at - row.claimedAt) / 1000);
        const leaseSeconds = row.mode === 'subscribe' ? lease_seconds : Math.max(0, left);
        return { ...row, claim, leaseSeconds, subscribed: left > 0 };
      });
    });
  }

  /** Holds on to a claim, if it is still ours. */
  async hold({ id, claim }: ClaimedIntent, claimMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('intent')
      .set({ due_at: this.#store.now(claimMs) })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Lets another take what was not begun. */
  async release({ id, claim }: ClaimedIntent): Promise<void> {
    await this.#store.db
      .updateTable('intent')
      .set({ due_at: 0, claim: null })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute();
  }

  /** Ends every claim: whoever held one is gone. */
  async endClaims(): Promise<void> {
    await this.#store.db
      .updateTable('intent')
      .set({ claim: null, due_at: 0 })
      .where('claim', 'is not', null)
      .execute();
  }

  /**
   * Writes what the subscriber said; nothing when the claim was lost or a newer request came.
   *
   * @param askedAt when the GET began, by the database's clock; null when it said no
   * @returns whether it was written
   */
  async settle(claimed: ClaimedIntent, askedAt: number | null): Promise<boolean> {
    return this.#store.transaction(async (trx) => {
      const before = await loadPair(this.#store, trx, claimed);
      if (!(await isHeld(trx, claimed))) return false;
      const gone = claimed.mode === 'unsubscribe' && before.subscription === null;
      const after = askedAt === null || gone ? notVerified(before) : verified(before, askedAt);
      await savePair(trx, claimed, before, after);
      return true;
    });
  }
}

async function isHeld(trx: Transaction<HubTables>, { id, claim }: ClaimedIntent): Promise<boolean> {
  const held = trx
    .selectFrom('intent')
    .select('id')
    .where('id', '=', id)
    .where('claim', '=', claim);
  return (await held.executeTakeFirst()) !== undefined;
}

/** Subscriptions, and requests for one. */
async function countPairs(trx: Transaction<HubTables>): Promise<number> {
  const { subscriptions, pending } = await trx
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('subscription')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('subscriptions'),
      selectFrom('intent')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('mode', '=', 'subscribe')
        .as('pending'),
    ])
    .executeTakeFirstOrThrow();
  return (subscriptions ?? 0) + (pending ?? 0);
}
