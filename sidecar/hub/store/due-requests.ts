import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { NOTICES, type Key } from './pairs.ts';
import { rows, type HubStore, type Mode } from './tables.ts';

/** A due verification or notice. */
export interface DueRequest {
  id: number;
  host: string;
  /** Network of the requesting client. */
  client: string;
}

/** A verification or notice that begins now, with the state of the subscription. */
export interface TakenRequest extends Key, DueRequest {
  claim: string | null;
  mode: Mode;
  topicUrl: string;
  reason: string;
  attempts: number;
  /** Lease to state: of the new subscription, or what is left of the existing one. */
  leaseSeconds: number;
  /** By the database's clock. */
  takenAt: number;
  subscription: SubscriptionStatus | null;
}

/** The state that a subscriber can ask for with `hub.mode=status`. */
export interface SubscriptionStatus {
  isOwed: boolean;
  failures: number;
  /** Milliseconds since 1970. */
  dueAt: number;
  /** See the table. */
  deliveries: string;
}

/**
 * Returns due verifications and notices: the first of each client network, then the second of
 * each, so that no client waits behind another's many. Requests of one subscription keep their
 * order.
 */
export function dueRequests(store: HubStore, limit: number): Promise<DueRequest[]> {
  return rows(
    store.db,
    sql`select id, host, client from intent where due_at <= ${store.now()}
      and (mode in ${NOTICES} or not exists (
        select 1 from intent as earlier where earlier.topic_id = intent.topic_id
        and earlier.callback = intent.callback and earlier.id < intent.id
        and earlier.mode not in ${NOTICES}))
      order by row_number() over (partition by client order by id), id limit ${limit}`,
  );
}

/** Takes requests that begin now, in their present state; see `Deliveries.take`. */
export async function takeRequests(
  store: HubStore,
  ids: readonly number[],
  claimMs: number,
): Promise<TakenRequest[]> {
  const { db, engine } = store;
  const now = store.now();
  const due = sql`id in (${sql.join(ids)}) and due_at <= ${now}`;
  const taken = await rows<{ id: number }>(
    db,
    engine === 'sqlite'
      ? sql`select id from intent where ${due}`
      : sql`update intent set claim = ${randomUUID()}, due_at = ${store.now(claimMs)}
          where ${due} and id in (select id from intent where ${due} for update skip locked)
          returning id`,
  );
  if (taken.length === 0) return [];
  const found = await rows<Omit<TakenRequest, 'subscription'> & SubscriptionStatus & Expiry>(
    db,
    sql`select intent.id, intent.mode, intent.callback, intent.host, intent.claim, intent.client,
      intent.attempts, intent.reason, intent.topic_id as "topicId", topic.url as "topicUrl",
      intent.lease_seconds as "leaseSeconds", ${now} as "takenAt",
      subscription.expires_at as "expiresAt", subscription.acknowledged < topic.version as "isOwed",
      subscription.failures, subscription.due_at as "dueAt", subscription.attempts as deliveries
      from intent join topic on topic.id = intent.topic_id
      left join subscription on subscription.topic_id = intent.topic_id
        and subscription.callback = intent.callback
      where intent.id in (${sql.join(taken.map(({ id }) => id))}) order by intent.id`,
  );
  return found.map(({ expiresAt, isOwed, failures, dueAt, deliveries, ...row }) => {
    const left = Math.max(0, Math.ceil(((expiresAt ?? 0) - row.takenAt) / 1000));
    const standing = { isOwed: Boolean(isOwed), failures, dueAt, deliveries };
    return {
      ...row,
      leaseSeconds: row.mode === 'subscribe' ? row.leaseSeconds : left,
      subscription: left > 0 ? standing : null,
    };
  });
}

interface Expiry {
  expiresAt: number | null;
}

/** Ends a claim with some changes. @returns true if the request was still held */
export async function putOff(
  db: HubStore['db'],
  { id, claim }: TakenRequest,
  changes: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update intent set ${changes}, claim = null
    where id = ${id} and claim is not distinct from ${claim}`.execute(db);
  return Number(numAffectedRows) > 0;
}
