import { sql } from 'kysely';
import type { HubStore } from './tables.ts';

/** A topic and the state of its subscribers. */
export interface TopicStatus {
  url: string;
  version: number;
  subscriptions: number;
  /** Unverified requests. */
  pending: number;
  /** Subscriptions that have not acknowledged the newest version. */
  owed: number;
  /** Milliseconds since the oldest pending version was published; 0 if none is pending. */
  oldestOwedMs: number;
}

/** A pending delivery. The callback is left out, because its path may be a secret. */
export interface OwedDelivery {
  topicUrl: string;
  /** Host of the callback. */
  host: string;
  acknowledged: number;
  version: number;
  /** Consecutive failures. */
  failures: number;
  /** Milliseconds until the next attempt; negative if it is due. */
  dueInMs: number;
  /** Milliseconds until the lease ends. */
  leaseMs: number;
}

/** Written into the statement, for the partial indexes are for just this number. */
const NONE = sql.lit(0);

/** Returns every topic that there is, in the order they became known. */
export async function topicStatus(store: HubStore): Promise<TopicStatus[]> {
  const rows = await store.db
    // Two parts of `acknowledged < version`, each by its index, so that this is fast.
    .with('owing', (db) =>
      db
        .selectFrom('topic')
        .crossJoin('subscription')
        .select(['topic.id as topicId', 'topic.published_at as since'])
        .whereRef('subscription.topic_id', '=', 'topic.id')
        .where('failures', '=', NONE)
        .whereRef('acknowledged', '<', 'topic.version')
        .unionAll(
          db
            .selectFrom('subscription')
            .select(['topic_id as topicId', 'owed_since as since'])
            .where('failures', '>', NONE),
        ),
    )
    .with('owed', (db) =>
      db
        .selectFrom('owing')
        .select(({ fn }) => [
          'topicId',
          fn.countAll<number>().as('owed'),
          fn.min('since').as('since'),
        ])
        .groupBy('topicId'),
    )
    .selectFrom('topic')
    .leftJoin('owed', 'owed.topicId', 'topic.id')
    .select(({ selectFrom, fn }) => [
      'topic.url',
      'topic.version',
      'owed.owed',
      'owed.since',
      selectFrom('subscription')
        .select(fn.countAll<number>().as('n'))
        .whereRef('topic_id', '=', 'topic.id')
        .as('subscriptions'),
      selectFrom('intent')
        .select(fn.countAll<number>().as('n'))
        .whereRef('topic_id', '=', 'topic.id')
        .where('mode', '!=', 'denied')
        .as('pending'),
      store.now().as('now'),
    ])
    .orderBy('topic.id')
    .execute();
  return rows.map(({ since, now, subscriptions, pending, owed, ...topic }) => ({
    ...topic,
    subscriptions: subscriptions!,
    pending: pending!,
    owed: owed ?? 0,
    oldestOwedMs: since === null ? 0 : Math.max(0, now - since),
  }));
}

/** Returns pending deliveries, most failures first. */
export async function owedDeliveries(store: HubStore, limit: number): Promise<OwedDelivery[]> {
  const rows = await store.db
    .selectFrom('subscription')
    .innerJoin('topic', 'topic.id', 'subscription.topic_id')
    .select(['topic.url as topicUrl', 'topic.version', 'host', 'acknowledged', 'failures'])
    .select(['due_at', 'expires_at', store.now().as('now')])
    .whereRef('acknowledged', '<', 'topic.version')
    .orderBy('failures', 'desc')
    .orderBy('subscription.id')
    .limit(limit)
    .execute();
  return rows.map(({ due_at, expires_at, now, ...delivery }) => ({
    ...delivery,
    dueInMs: due_at - now,
    leaseMs: expires_at - now,
  }));
}
