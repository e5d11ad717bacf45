import { sql } from 'kysely';
import type { HubStore } from './tables.ts';

/** A topic and what its subscribers have of it. */
export interface TopicStatus {
  url: string;
  version: number;
  subscriptions: number;
  /** Requests that wait to be verified. */
  pending: number;
  /** Subscriptions that have not acknowledged the newest version. */
  owed: number;
  /** Since the oldest version that is owed was published, milliseconds; 0 when none is. */
  oldestOwedMs: number;
}

/** A subscription that is owed a version. The callback is left out: its path may be a secret. */
export interface OwedDelivery {
  topicUrl: string;
  /** Of the callback. */
  host: string;
  acknowledged: number;
  version: number;
  /** Consecutive. */
  failures: number;
  /** Until it may be tried, milliseconds; negative when it is due. */
  dueInMs: number;
  /** Until the lease ends, milliseconds. */
  leaseMs: number;
}

/** The plus keeps SQLite from searching by the topic, which nearly all have in common. */
const TOPIC_ID = sql<number>`+subscription.topic_id`;

/** Every topic that there is, in the order they became known. */
export async function topicStatus(store: HubStore): Promise<TopicStatus[]> {
  const rows = await store.db
    // Two parts of `acknowledged < version`, for each has an index: a look must not hold up the rest.
    .with('owing', (db) =>
      db
        .selectFrom('topic')
        .crossJoin('subscription')
        .select(['topic.id as topicId', 'acknowledged'])
        .whereRef('subscription.topic_id', '=', 'topic.id')
        .whereRef('tried', '<', 'topic.version')
        .unionAll(
          db
            .selectFrom('subscription')
            .innerJoin('topic', (join) => join.on(TOPIC_ID, '=', sql.ref('topic.id')))
            .select(['topic.id as topicId', 'acknowledged'])
            .whereRef('acknowledged', '<', 'tried')
            .whereRef('tried', '>=', 'topic.version'),
        ),
    )
    .with('owed', (db) =>
      db
        .selectFrom('owing')
        .select(({ fn }) => [
          'topicId',
          fn.countAll<number>().as('owed'),
          fn.min('acknowledged').as('seen'),
        ])
        .groupBy('topicId'),
    )
    .selectFrom('topic')
    .leftJoin('owed', 'owed.topicId', 'topic.id')
    .select(({ selectFrom, fn }) => [
      'topic.url',
      'topic.version',
      'owed.owed',
      selectFrom('subscription')
        .select(fn.countAll<number>().as('n'))
        .whereRef('topic_id', '=', 'topic.id')
        .as('subscriptions'),
      selectFrom('intent')
        .select(fn.countAll<number>().as('n'))
        .whereRef('topic_id', '=', 'topic.id')
        .as('pending'),
      selectFrom('publication')
        .select(({ fn }) => fn.min('published_at').as('at'))
        .whereRef('topic_id', '=', 'topic.id')
        .whereRef('publication.version', '>', 'owed.seen')
        .as('owedSince'),
      store.now().as('now'),
    ])
    .orderBy('topic.id')
    .execute();
  return rows.map(({ owedSince, now, subscriptions, pending, owed, ...topic }) => ({
    ...topic,
    subscriptions: subscriptions!,
    pending: pending!,
    owed: owed ?? 0,
    oldestOwedMs: owedSince === null ? 0 : Math.max(0, now - owedSince),
  }));
}

/** What is owed, most failures first. */
export async function owedDeliveries(store: HubStore, limit: number): Promise<OwedDelivery[]> {
  const rows = await store.db
    .selectFrom('subscription')
    .innerJoin('topic', 'topic.id', 'subscription.topic_id')
    .select(['topic.url as topicUrl', 'topic.version', 'host', 'acknowledged', 'failures'])
    .select(['tried', 'claim', 'due_at', 'expires_at', store.now().as('now')])
    .whereRef('acknowledged', '<', 'topic.version')
    .orderBy('failures', 'desc')
    .orderBy('subscription.id')
    .limit(limit)
    .execute();
  return rows.map(({ tried, claim, due_at, expires_at, now, ...delivery }) => ({
    ...delivery,
    // A version that was not tried yet does not wait for the retry of the one before.
    dueInMs: claim === null && tried < delivery.version ? 0 : due_at - now,
    leaseMs: expires_at - now,
  }));
}
