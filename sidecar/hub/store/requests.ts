import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { notVerified, request, verified, type Intent } from '../subscription.ts';
import { hostOf, NOTICES, Pairs, remove, type Key, type Trx } from './pairs.ts';
import { count, Room, type Limits } from './room.ts';
import type { Secrets } from './secrets.ts';
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
 * The subscriber's answer.
 *
 * @param askedAt when the GET began, by the database's clock
 * @param network of the connected address; none if it is private
 */
export type Reply =
  | { kind: 'confirmed'; askedAt: number; network?: string }
  | { kind: 'refused' }
  /** @param reason why the subscriber was unreachable */
  | { kind: 'none'; reason: string };

/**
 * Milliseconds until the next attempt, because an unreachable subscriber may still be starting up.
 */
const ASK_AGAIN_MS = [5_000, 30_000, 300_000];

const NO_ROOM = 'the address of the callback has as many subscriptions as it may';

/** Stores, claims and settles requests for subscriptions. */
export class Requests {
  readonly #store: HubStore;
  readonly #pairs: Pairs;
  readonly #room: Room;

  /** @param now milliseconds, monotonic */
  constructor(store: HubStore, secrets: Secrets, now: () => number) {
    this.#store = store;
    this.#room = new Room(now);
    this.#pairs = new Pairs(store, secrets, (change) => this.#room.changed(change));
  }

  /**
   * Stores a request; it is on disk when this resolves.
   *
   * @param asked `etag` is that of the subscriber's content, if stated
   * @throws {HubFullError} if there is no room for a new subscription
   */
  async add(
    topicUrl: string,
    callback: string,
    asked: Omit<Intent, 'version' | 'mode'> & {
      mode: Mode;
      client: string;
      etag?: string | undefined;
    },
    limits: Limits,
  ): Promise<void> {
    const { client, etag, mode, ...wish } = asked;
    await this.#store.transaction(async (trx) => {
      const [topic] = await rows<{ id: number; version: number; etag: string }>(
        trx,
        sql`select id, version, etag from topic where url = ${topicUrl}`,
      );
      if (!topic) return; // a search without subscriptions
      const key = { topicId: topic.id, callback };
      const before = await this.#pairs.load(trx, key);
      if (mode === 'status' || mode === 'denied') {
        if (before.subscription) await this.#notify(trx, key, { mode, client });
        return;
      }
      const isBehind = etag !== undefined && etag !== topic.etag && topic.version > 0;
      const version = isBehind ? topic.version - 1 : topic.version;
      const after = request(before, { ...wish, mode, version });
      const isNew = before.subscription === null && before.intents.length === 0;
      if (isNew && after !== before) await this.#room.ensure(trx, hostOf(callback), client, limits);
      if (mode === 'subscribe') await remove(trx, key, 'denied');
      await this.#pairs.save(trx, key, before, after, client);
    });
  }

  /**
   * Returns due verifications and notices: the first of each client network, then the second of
   * each, so that no client waits behind another's many. Requests of one subscription keep their
   * order.
   */
  due(limit: number): Promise<DueRequest[]> {
    return rows(
      this.#store.db,
      sql`select id, host, client from intent where due_at <= ${this.#store.now()}
        and (mode in ${NOTICES} or not exists (
          select 1 from intent as earlier where earlier.topic_id = intent.topic_id
          and earlier.callback = intent.callback and earlier.id < intent.id
          and earlier.mode not in ${NOTICES}))
        order by row_number() over (partition by client order by id), id limit ${limit}`,
    );
  }

  /** Takes requests that begin now, in their present state; see `Deliveries.take`. */
  async take(ids: readonly number[], claimMs: number): Promise<TakenRequest[]> {
    const { db, engine } = this.#store;
    const now = this.#store.now();
    const due = sql`id in (${sql.join(ids)}) and due_at <= ${now}`;
    const taken = await rows<{ id: number }>(
      db,
      engine === 'sqlite'
        ? sql`select id from intent where ${due}`
        : sql`update intent set claim = ${randomUUID()}, due_at = ${this.#store.now(claimMs)}
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

  /** Ends the claim of a request that was not begun. */
  async release(taken: TakenRequest): Promise<void> {
    await putOff(this.#store.db, taken, sql`due_at = 0`);
  }

  /**
   * Writes the subscriber's answer, unless the claim was lost or a newer request arrived.
   *
   * @returns true if it was written
   */
  async settle(taken: TakenRequest, answer: Reply): Promise<boolean> {
    const { mode, attempts, client } = taken;
    const delay = answer.kind === 'none' && mode !== 'status' ? ASK_AGAIN_MS[attempts] : undefined;
    return this.#store.transaction(async (trx) => {
      if (delay !== undefined) {
        const dueAt = this.#store.now(delay);
        return putOff(trx, taken, sql`attempts = ${attempts + 1}, due_at = ${dueAt}`);
      }
      const before = await this.#pairs.load(trx, taken);
      const held = sql`intent where id = ${taken.id} and claim is not distinct from ${taken.claim}`;
      if ((await count(trx, held)) === 0) return false;
      if (mode === 'denied' || mode === 'status') {
        await remove(trx, taken, mode);
        return true;
      }
      const isGone = mode !== 'subscribe' && before.subscription === null;
      const { network = '' } = answer.kind === 'confirmed' ? answer : {};
      const isFull =
        before.subscription === null && network !== '' && (await this.#room.isFull(trx, network));
      const isVerified = answer.kind === 'confirmed' && !isGone && !isFull;
      const after = isVerified ? verified(before, answer.askedAt) : notVerified(before);
      await this.#pairs.save(trx, taken, before, after, client);
      if (isVerified && mode === 'subscribe') await this.#pairs.locate(trx, taken, network);
      const reason = isFull ? NO_ROOM : answer.kind === 'none' ? answer.reason : undefined;
      if (reason !== undefined && mode === 'subscribe') {
        const denied = { mode: 'denied', client, reason, delayMs: ASK_AGAIN_MS[0]! } as const;
        await this.#notify(trx, taken, denied);
      }
      return true;
    });
  }

  /** Queues a notice, unless there is one. */
  async #notify(
    trx: Trx,
    { topicId, callback }: Key,
    notice: { mode: 'denied' | 'status'; client: string; reason?: string; delayMs?: number },
  ): Promise<void> {
    const { mode, client, reason = '', delayMs = 0 } = notice;
    await sql`insert into intent
      (topic_id, callback, host, mode, lease_seconds, version, due_at, client, reason)
      values (${topicId}, ${callback}, ${hostOf(callback)}, ${mode}, 0, 0,
        ${this.#store.now(delayMs)}, ${client}, ${reason})
      on conflict (topic_id, callback, mode) do nothing`.execute(trx);
  }
}

interface Expiry {
  expiresAt: number | null;
}

/** @returns true if the request was still held */
async function putOff(
  db: HubStore['db'],
  { id, claim }: TakenRequest,
  changes: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update intent set ${changes}, claim = null
    where id = ${id} and claim is not distinct from ${claim}`.execute(db);
  return Number(numAffectedRows) > 0;
}
