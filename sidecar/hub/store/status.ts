import { sql } from 'kysely';
import { rows, type HubStore } from './tables.ts';

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

/** Returns every topic that there is, in the order they became known. */
export async function topicStatus(store: HubStore): Promise<TopicStatus[]> {
  const owed = sql`from subscription where topic_id = topic.id and acknowledged < topic.version`;
  const found = await rows<
    Omit<TopicStatus, 'oldestOwedMs'> & { since: number | null; now: number }
  >(
    store.db,
    sql`select url, version,
      (select count(*) from subscription where topic_id = topic.id) as subscriptions,
      (select count(*) from intent where topic_id = topic.id
        and mode <> 'denied') as pending,
      (select count(*) ${owed}) as owed,
      (select min(case owed_since when 0 then topic.published_at else owed_since end) ${owed}) as since,
      ${store.now()} as now from topic order by id`,
  );
  return found.map(({ since, now, ...topic }) => {
    return { ...topic, oldestOwedMs: since === null ? 0 : Math.max(0, now - since) };
  });
}

/** Returns pending deliveries, most failures first. */
export function owedDeliveries(store: HubStore, limit: number): Promise<OwedDelivery[]> {
  const now = store.now();
  return rows(
    store.db,
    sql`select topic.url as "topicUrl", topic.version, host, acknowledged, failures,
      due_at - ${now} as "dueInMs", expires_at - ${now} as "leaseMs"
      from subscription join topic on topic.id = topic_id
      where acknowledged < topic.version order by failures desc, subscription.id limit ${limit}`,
  );
}
