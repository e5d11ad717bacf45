import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { notVerified, request, verified, type Intent, type Pair } from '../subscription.ts';
import type { HubStore, HubTables } from './tables.ts';

type Trx = Transaction<HubTables>;

/** The key of a pair: a topic and a callback. */
interface PairKey {
  topicId: number;
  callback: string;
}

/** A due verification or denial. */
export interface DueIntent {
  id: number;
  host: string;
  client: string;
}

/** A claimed verification, or a denial that a subscription ended. */
export interface TakenIntent extends PairKey, DueIntent {
  claim: string | null;
  mode: Intent['mode'] | 'denied';
  topicUrl: string;
  /** True if there is a subscription. */
  subscribed: boolean;
  /** Lease to state: of the new subscription, or what is left of the existing one. */
  leaseSeconds: number;
  reason: string;
  attempts: number;
  /** By the database's clock. */
  takenAt: number;
}

/**
 * The subscriber's answer.
 *
 * @param askedAt when the GET began, by the database's clock
 */
export type Answer =
  | { kind: 'confirmed'; askedAt: number }
  | { kind: 'refused' }
  /**
   * The subscriber was unreachable.
   *
   * @param reason in a few words
   */
  | { kind: 'none'; reason: string };

/** Limits of the hub. */
export interface Limits {
  /** Subscriptions in total. */
  subscriptions: number;
  /** Subscriptions and verifications per callback host. */
  perHost: number;
  /** Waiting verifications, in total and per client network; they do not count as subscriptions. */
  pending: number;
  pendingPerClient: number;
}

/** The hub has no room for another request. */
export class HubFullError extends Error {
  override readonly name = 'HubFullError';
}

/**
 * Milliseconds until the next attempt, because an unreachable subscriber may still be starting up.
 */
const ASK_AGAIN_MS = [5_000, 30_000, 300_000];
const COUNT_MS = 1_000;

/** Requests for subscriptions: how they are stored, claimed and settled. */
export class Pairs {
  readonly #store: HubStore;
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  /** Subscriptions at the last count plus new ones since; never too low. */
  #places = { count: Infinity, at: -Infinity };

  constructor(store: HubStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Stores a request; it is on disk when this resolves.
   *
   * @param asked `etag` is that of the subscriber's content, if stated
   * @throws {HubFullError} if there is no room for a new pair
   */
  async request(
    topicUrl: string,
    callback: string,
    asked: Omit<Intent, 'version'> & { client: string; etag?: string | undefined },
    limits: Limits,
  ): Promise<void> {
    const { client, etag, ...wish } = asked;
    await this.#store.transaction(async (trx) => {
      const topic = await trx
        .selectFrom('topic')
        .select(['id', 'version', 'etag'])
        .where('url', '=', topicUrl)
        .executeTakeFirstOrThrow();
      const isBehind = etag !== undefined && etag !== topic.etag && topic.version > 0;
      const version = isBehind ? topic.version - 1 : topic.version;
      const key = { topicId: topic.id, callback };
      const before = await loadPair(this.#store, trx, key);
      const after = request(before, { ...wish, version });
      const isNew = before.subscription === null && before.intents.length === 0;
      if (isNew && after !== before) await this.#makeRoom(trx, hostOf(callback), client, limits);
      if (wish.mode === 'subscribe') await removeIntent(trx, key, 'denied');
      await this.#save(trx, key, before, after, client);
    });
  }

  /** @throws {HubFullError} if there is no room */
  async #makeRoom(trx: Trx, host: string, client: string, limits: Limits): Promise<void> {
    const now = this.#now();
    if (this.#places.count >= limits.subscriptions && now - this.#places.at >= COUNT_MS) {
      const { n } = await countOf(trx, 'subscription');
      this.#places = { count: n, at: now };
    }
    if (this.#places.count >= limits.subscriptions) {
      throw new HubFullError('The hub has as many subscriptions as it takes');
    }
    const { n: waiting } = await countOf(trx, 'intent');
    const { n: ofClient } = await countOf(trx, 'intent', 'client', client);
    if (waiting >= limits.pending || ofClient >= limits.pendingPerClient) {
      throw new HubFullError('Too many requests wait to be verified');
    }
    if (limits.perHost === Infinity) return;
    const { n: ofHost } = await countOf(trx, 'subscription', 'host', host);
    if (ofHost >= limits.perHost) {
      throw new HubFullError('The host of the callback has as many subscriptions as it may');
    }
  }

  /**
   * Returns due verifications and denials: the first of each client network, then the second of
   * each, so that no client waits behind another's many.
   */
  async due(limit: number): Promise<DueIntent[]> {
    return this.#store.db
      .selectFrom('intent')
      .select(['id', 'host', 'client'])
      .where('due_at', '<=', this.#store.now())
      .where(({ not, exists, or, eb, selectFrom }) =>
        or([
          eb('mode', '=', 'denied'),
          not(
            exists(
              selectFrom('intent as earlier')
                .select('earlier.id')
                .whereRef('earlier.topic_id', '=', 'intent.topic_id')
                .whereRef('earlier.callback', '=', 'intent.callback')
                .whereRef('earlier.id', '<', 'intent.id')
                .where('earlier.mode', '!=', 'denied'),
            ),
          ),
        ]),
      )
      .orderBy(sql`row_number() over (partition by client order by id)`)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Claims verifications that start now, in their current state; see `Deliveries.take`. */
  async take(ids: readonly number[], claimMs: number): Promise<TakenIntent[]> {
    const store = this.#store;
    if (store.engine === 'sqlite') return this.#read(store.db, ids);
    const claim = randomUUID();
    return store.transaction(async (trx) => {
      const free = trx
        .selectFrom('intent')
        .select('id')
        .where('id', 'in', ids)
        .where('due_at', '<=', store.now());
      const rows = await store.unlocked(free, 'intent').execute();
      if (rows.length === 0) return [];
      const taken = rows.map(({ id }) => id);
      await trx
        .updateTable('intent')
        .set({ claim, due_at: store.now(claimMs) })
        .where('id', 'in', taken)
        .execute();
      return this.#read(trx, taken);
    });
  }

  async #read(db: HubStore['db'], ids: readonly number[]): Promise<TakenIntent[]> {
    const rows = await db
      .selectFrom('intent')
      .innerJoin('topic', 'topic.id', 'intent.topic_id')
      .leftJoin('subscription', (join) =>
        join
          .onRef('subscription.topic_id', '=', 'intent.topic_id')
          .onRef('subscription.callback', '=', 'intent.callback'),
      )
      .select(['intent.id', 'intent.mode', 'intent.callback', 'intent.host', 'intent.claim'])
      .select(['intent.client', 'intent.attempts', 'intent.reason'])
      .select(['intent.topic_id as topicId', 'topic.url as topicUrl'])
      .select(['intent.lease_seconds', 'subscription.expires_at'])
      .select(this.#store.now().as('takenAt'))
      .where('intent.id', 'in', ids)
      .orderBy('intent.id')
      .execute();
    return rows.map(({ lease_seconds, expires_at, ...row }) => {
      const left = expires_at === null ? 0 : Math.ceil((expires_at - row.takenAt) / 1000);
      const leaseSeconds = row.mode === 'subscribe' ? lease_seconds : Math.max(0, left);
      return { ...row, leaseSeconds, subscribed: left > 0 };
    });
  }

  /** Releases a claim on work that was not started. */
  async release(taken: TakenIntent): Promise<void> {
    await putOff(this.#store.db, taken, { due_at: 0 });
  }

  /** Ends every claim; their holders are gone. */
  async endClaims(): Promise<void> {
    await this.#store.db
      .updateTable('intent')
      .set({ claim: null, due_at: 0 })
      .where('claim', 'is not', null)
      .execute();
  }

  /**
   * Writes the subscriber's answer, unless the claim was lost or a newer request arrived.
   *
   * @returns true if it was written
   */
  async settle(taken: TakenIntent, answer: Answer): Promise<boolean> {
    const { mode, attempts } = taken;
    const delay = answer.kind === 'none' ? ASK_AGAIN_MS[attempts] : undefined;
    return this.#store.transaction(async (trx) => {
      if (delay !== undefined) {
        return putOff(trx, taken, { attempts: attempts + 1, due_at: this.#store.now(delay) });
      }
      const before = await loadPair(this.#store, trx, taken);
      if (!(await isHeld(trx, taken))) return false;
      if (mode === 'denied') {
        await removeIntent(trx, taken, mode);
        return true;
      }
      const gone = mode === 'unsubscribe' && before.subscription === null;
      const isConfirmed = answer.kind === 'confirmed' && !gone;
      const after = isConfirmed ? verified(before, answer.askedAt) : notVerified(before);
      await this.#save(trx, taken, before, after, taken.client);
      if (answer.kind === 'none' && mode === 'subscribe')
        await this.#deny(trx, taken, answer.reason);
      return true;
    });
  }

  /** Queues a denial, sent once the subscriber is reachable. */
  async #deny(trx: Trx, { topicId, callback, client }: TakenIntent, reason: string): Promise<void> {
    await trx
      .insertInto('intent')
      .values({
        topic_id: topicId,
        callback,
        host: hostOf(callback),
        mode: 'denied',
        secret: null,
        lease_seconds: 0,
        version: 0,
        due_at: this.#store.now(ASK_AGAIN_MS[0]),
        claim: null,
        client,
        reason,
      })
      .onConflict((conflict) => conflict.columns(['topic_id', 'callback', 'mode']).doNothing())
      .execute();
  }

  /** Writes the result of a transition. */
  async #save(trx: Trx, key: PairKey, before: Pair, after: Pair, client: string): Promise<void> {
    await this.#saveSubscription(trx, key, before.subscription, after.subscription);
    for (const intent of before.intents) {
      if (!after.intents.includes(intent)) await removeIntent(trx, key, intent.mode);
    }
    for (const intent of after.intents) {
      if (!before.intents.includes(intent)) await addIntent(trx, key, intent, client);
    }
  }

  async #saveSubscription(
    trx: Trx,
    { topicId, callback }: PairKey,
    before: Pair['subscription'],
    after: Pair['subscription'],
  ): Promise<void> {
    if (after === before) return;
    if (!after) {
      await trx
        .deleteFrom('subscription')
        .where('topic_id', '=', topicId)
        .where('callback', '=', callback)
        .execute();
      this.#places.at = -Infinity; // so that it is counted again once it is full
      return;
    }
    const { secret, expiresAt: expires_at, acknowledged, failures } = after;
    const changes = { secret, expires_at, acknowledged, failures };
    if (!before) {
      const host = hostOf(callback);
      const row = { topic_id: topicId, callback, host, claim: null };
      await trx.insertInto('subscription').values({ ...row, ...changes }).execute(); // prettier-ignore
      this.#places.count++;
      return;
    }
    // A running delivery is signed with the former secret, so it is fenced off and sent again.
    const next =
      secret === before.secret
        ? { due_at: sql<number>`case when claim is null then 0 else due_at end` }
        : { due_at: 0, claim: randomUUID() };
    await trx
      .updateTable('subscription')
      .set({ ...changes, ...next })
      .where('topic_id', '=', topicId)
      .where('callback', '=', callback)
      .execute();
  }
}

/** Loads and locks a subscription with its pending requests; drops it if its lease expired. */
async function loadPair(store: HubStore, trx: Trx, key: PairKey): Promise<Pair> {
  await store.alone(trx, `${key.topicId} ${key.callback}`);
  await trx
    .deleteFrom('subscription')
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback)
    .where('expires_at', '<=', store.now())
    .execute();
  const subscriptions = trx
    .selectFrom('subscription')
    .select(['secret', 'expires_at as expiresAt', 'acknowledged', 'failures'])
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback);
  const intents = trx
    .selectFrom('intent')
    .select(['mode', 'secret', 'lease_seconds as leaseSeconds', 'version'])
    .where('topic_id', '=', key.topicId)
    .where('callback', '=', key.callback)
    .where('mode', '!=', 'denied')
    .$narrowType<{ mode: Intent['mode'] }>()
    .orderBy('id');
  return {
    subscription: (await store.locked(subscriptions).executeTakeFirst()) ?? null,
    intents: await store.locked(intents).execute(),
  };
}

async function isHeld(trx: Trx, { id, claim }: TakenIntent): Promise<boolean> {
  const held = trx
    .selectFrom('intent')
    .select('id')
    .where('id', '=', id)
    .where('claim', 'is not distinct from', claim);
  return (await held.executeTakeFirst()) !== undefined;
}

/** @returns true if it was still held */
async function putOff(
  db: HubStore['db'],
  { id, claim }: TakenIntent,
  changes: { due_at: number | RawBuilder<number>; attempts?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('intent')
    .set({ ...changes, claim: null })
    .where('id', '=', id)
    .where('claim', 'is not distinct from', claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function removeIntent(
  trx: Trx,
  { topicId, callback }: PairKey,
  mode: TakenIntent['mode'],
): Promise<void> {
  await trx
    .deleteFrom('intent')
    .where('topic_id', '=', topicId)
    .where('callback', '=', callback)
    .where('mode', '=', mode)
    .execute();
}

async function addIntent(
  trx: Trx,
  { topicId, callback }: PairKey,
  { mode, secret, leaseSeconds, version }: Intent,
  client: string,
): Promise<void> {
  const row = { topic_id: topicId, callback, host: hostOf(callback), client, claim: null };
  await trx
    .insertInto('intent')
    .values({ ...row, mode, secret, lease_seconds: leaseSeconds, version })
    .execute();
}

function countOf(
  trx: Trx,
  table: 'subscription' | 'intent',
  column?: 'host' | 'client',
  value?: string,
): Promise<{ n: number }> {
  return trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(column !== undefined, (query) => query.where(column as never, '=', value as never))
    .executeTakeFirstOrThrow();
}

/** Returns the canonical name of a host: lower case, without a final dot or brackets. */
export function hostOf(callback: string): string {
  return new URL(callback).hostname.replace(/^\[|\]$|\.$/g, '');
}
