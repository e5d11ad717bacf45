import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { notVerified, request, verified, type Intent, type Pair } from '../subscription.ts';
import type { HubStore, HubTables } from './tables.ts';

type Trx = Transaction<HubTables>;

/** One topic and one callback, as the rows name them. */
interface PairKey {
  topicId: number;
  callback: string;
}

/** A question or a notice that is due. */
export interface DueIntent {
  id: number;
  host: string;
  client: string;
}

/** A question whose turn it is, or a notice that a subscription ended. */
export interface TakenIntent extends PairKey, DueIntent {
  claim: string | null;
  mode: Intent['mode'] | 'denied';
  topicUrl: string;
  /** Whether there is a subscription. */
  subscribed: boolean;
  /** What the subscriber is told: of the lease to come, or what is left of the one there is. */
  leaseSeconds: number;
  reason: string;
  attempts: number;
  /** By the database's clock. */
  takenAt: number;
}

/** What the subscriber said. @param askedAt when the GET began, by the database's clock */
export type Answer =
  | { kind: 'confirmed'; askedAt: number }
  | { kind: 'refused' }
  /** There was nobody to ask. @param reason in a few words */
  | { kind: 'none'; reason: string };

/** How much the hub takes. */
export interface Limits {
  /** Subscriptions in all. */
  subscriptions: number;
  /** Subscriptions and questions of one callback host. */
  perHost: number;
  /** Questions that wait, in all and of one client network; they take no places of subscriptions. */
  pending: number;
  pendingPerClient: number;
}

/** There is no room for another request. */
export class HubFullError extends Error {
  override readonly name = 'HubFullError';
}

/** Milliseconds to wait when there was nobody to ask: a subscriber may still be starting up. */
const ASK_AGAIN_MS = [5_000, 30_000, 300_000];
const COUNT_MS = 1_000;

/** The requests for subscriptions, and what becomes of them: how they are kept. */
export class Pairs {
  readonly #store: HubStore;
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  /** Subscriptions when they were last counted, and those begun since; never too few. */
  #places = { count: Infinity, at: -Infinity };

  constructor(store: HubStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Keeps a request; when this returns it is on the disk.
   *
   * @param asked `etag` is the one that the subscriber has, if it says so
   * @throws {HubFullError} when a new pair would be one too many
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

  /** @throws {HubFullError} when there is none */
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
   * Returns questions and notices that are due, each client network's first before any's second, so
   * that nobody waits behind all that another asked.
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

  /** Takes what is asked now, as the rows are at this moment; see `Deliveries.take`. */
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

  /** Lets another take what was not begun. */
  async release(taken: TakenIntent): Promise<void> {
    await putOff(this.#store.db, taken, { due_at: 0 });
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
   * @returns whether it was written
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

  /** Tells the subscriber, once it can be reached, that its request came to nothing. */
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

  /** Writes what a transition made of a pair. */
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
      this.#places.at = -Infinity; // so that it is counted again when it is full
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
    // A delivery under way is signed with the former secret: it is fenced off and sent again.
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

/** Loads and locks a subscription with its questions; drops it if its lease has ended. */
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

/** @returns whether it was still held */
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

/** The one name of a host: without a dot at its end or brackets, in lower case. */
export function hostOf(callback: string): string {
  return new URL(callback).hostname.replace(/^\[|\]$|\.$/g, '');
}
