import { sql } from 'kysely';
import { domainOf } from '../hosts.ts';
import type { SubscriberRequest } from '../request-form.ts';
import type { Task } from '../schedule.ts';
import { asksSubscriber, notVerified, request, verified } from '../subscription.ts';
import type { Intent, Pair, Subscription } from '../subscription.ts';
import type { Lead } from './deliveries.ts';
import { HubFullError, Room, type LIMITS } from './room.ts';
import type { Secrets } from './secrets.ts';
import { count, isAlive, isDue, isIn, partOf, rows } from './tables.ts';
import type { HubStore, Mode, Trx } from './tables.ts';

/** The key of a subscription: a topic and a callback. */
interface Key {
  topicId: number;
  callback: string;
}

/** A verification or notice that begins now. */
export interface TakenRequest extends Key {
  id: number;
  host: string;
  part: number;
  /** Network of the requesting client. */
  client: string;
  mode: Mode;
  topicUrl: string;
  reason: string;
  attempts: number;
  /** Lease to state: that of the new subscription, or the rest of the existing one's. */
  leaseSeconds: number;
  /** True if there is a subscription. */
  isActive: boolean;
  /** By the database's clock. */
  takenAt: number;
}

/**
 * The subscriber's answer, or none.
 *
 * @param askedAt when the GET began, by the database's clock
 */
export type Reply = { kind: 'confirmed'; askedAt: number } | { kind: 'refused' | 'none' };

/** Milliseconds until the next attempt, because an unreachable subscriber may still be starting up. */
const ASK_AGAIN_MS = [5_000, 30_000, 300_000];

/** Stores and settles requests for subscriptions. */
export class Requests {
  readonly #store: HubStore;
  readonly #secrets: Secrets;
  readonly #parts: Lead;
  readonly #room: Room;

  constructor(
    store: HubStore,
    secrets: Secrets,
    parts: Lead,
    maxSubscriptions: number,
    limits?: typeof LIMITS,
  ) {
    this.#store = store;
    this.#secrets = secrets;
    this.#parts = parts;
    this.#room = new Room(store, maxSubscriptions, limits);
  }

  /**
   * Stores a request; it is on disk when this resolves.
   *
   * @param client network of the client
   * @throws {HubFullError} if there is no room for a new subscription
   */
  async add(asked: SubscriberRequest, client: string): Promise<void> {
    const { topicUrl, callback, etag, ...wish } = asked;
    await this.#store.transaction(async (trx) => {
      await sql`insert into topic (url) values (${topicUrl}) on conflict (url) do nothing`.execute(
        trx,
      );
      const [topic] = await rows<{ id: number; version: number; etag: string }>(
        trx,
        sql`select id, version, etag from topic where url = ${topicUrl}`,
      );
      const key = { topicId: topic!.id, callback };
      const before = await this.#load(trx, key);
      const isBehind = etag !== undefined && etag !== topic!.etag && topic!.version > 0;
      const version = isBehind ? topic!.version - 1 : topic!.version;
      const after = request(before, { ...wish, version });
      const isNew = before.subscription === null && before.intents.length === 0;
      if (isNew && after !== before) {
        const host = hostOf(callback);
        const full = await this.#room.fullFor(trx, host);
        if (full !== undefined) throw new HubFullError(`No room: ${full}`, false);
        await this.#room.makeWaitingRoom(trx, host, client);
      }
      if (wish.mode === 'subscribe') await remove(trx, key, 'denied');
      await this.#save(trx, key, before, after, client);
    });
  }

  /**
   * Returns due verifications and notices in the parts of this process: the first of each client
   * network, then the second of each, so that no client waits behind the many of another. Requests of
   * one subscription keep their order.
   */
  due(limit: number): Promise<Task[]> {
    return rows(
      this.#store.db,
      sql`select id, host, client, 'unknown' as pace, ${partOf(this.#store, 'host')} as part
        from intent where ${isDue(this.#store, 'intent')}
        and ${isIn(this.#store, this.#parts.led)} and (mode = 'denied' or not exists (
          select 1 from intent as earlier where earlier.topic_id = intent.topic_id
          and earlier.callback = intent.callback and earlier.id < intent.id
          and earlier.mode <> 'denied'))
        order by row_number() over (partition by client order by id), id limit ${limit}`,
    );
  }

  /** Returns a request that may begin now, in its present state; undefined if it is gone. */
  async take(id: number): Promise<TakenRequest | undefined> {
    const [found] = await rows<Omit<TakenRequest, 'isActive'> & { expiresAt: number | null }>(
      this.#store.db,
      sql`select intent.id, intent.mode, intent.callback, intent.host, intent.client,
        intent.attempts, intent.reason, intent.topic_id as "topicId", topic.url as "topicUrl",
        intent.lease_seconds as "leaseSeconds", ${this.#store.now()} as "takenAt",
        subscription.expires_at as "expiresAt", part.id as part
        from intent join topic on topic.id = intent.topic_id
        join part on part.id = ${partOf(this.#store, 'intent.host')}
          and leader = ${this.#parts.leader}
        left join subscription on subscription.topic_id = intent.topic_id
          and subscription.callback = intent.callback
        where intent.id = ${id} and ${isDue(this.#store, 'intent')}`,
    );
    if (!found) return undefined;
    const left = Math.max(0, Math.ceil(((found.expiresAt ?? 0) - found.takenAt) / 1000));
    const leaseSeconds = found.mode === 'subscribe' ? found.leaseSeconds : left;
    return { ...found, leaseSeconds, isActive: left > 0 };
  }

  /**
   * Writes the subscriber's answer, unless a newer request arrived or another process leads the part.
   *
   * @returns true if it was written
   */
  settle(taken: TakenRequest, answer: Reply): Promise<boolean> {
    return this.#store.transaction(async (trx) => {
      if ((await this.#parts.confirm(trx, [taken.part])).size === 0) return false;
      const before = await this.#load(trx, taken);
      if ((await count(trx, sql`intent where id = ${taken.id}`)) === 0) return false;
      const delay = answer.kind === 'none' ? ASK_AGAIN_MS[taken.attempts] : undefined;
      if (delay !== undefined) {
        await sql`update intent set attempts = attempts + 1, due_at = ${this.#store.now(delay)}
          where id = ${taken.id}`.execute(trx);
      } else if (taken.mode === 'denied') await remove(trx, taken, 'denied');
      else await this.#apply(trx, taken, answer, before);
      return true;
    });
  }

  async #apply(trx: Trx, taken: TakenRequest, answer: Reply, before: Pair): Promise<void> {
    const { mode, topicId, callback, host, client } = taken;
    const isActive = before.subscription !== null;
    const isMeant = answer.kind === 'confirmed' && asksSubscriber(mode, isActive);
    const full = isMeant && !isActive ? await this.#room.fullFor(trx, host) : undefined;
    const isVerified = isMeant && full === undefined;
    const after = isVerified ? verified(before, answer.askedAt) : notVerified(before);
    await this.#save(trx, taken, before, after, client);
    if (full === undefined) return;
    await sql`insert into intent (topic_id, callback, host, mode, client, reason)
      values (${topicId}, ${callback}, ${host}, 'denied', ${client}, ${full})
      on conflict (topic_id, callback, mode) do nothing`.execute(trx);
  }

  /** Loads and locks a subscription, unless its lease ended, with its requests. */
  async #load(trx: Trx, key: Key): Promise<Pair> {
    await this.#store.advisoryLock(trx, `${key.topicId} ${key.callback}`);
    const [subscription = null] = await rows<Subscription>(
      trx,
      sql`select sealed_secret as secret, expires_at as "expiresAt", acknowledged, failures
        from subscription where ${ofKey(key)} and ${isAlive(this.#store)} ${this.#store.forShare}`,
    );
    const intents = await rows<Intent>(
      trx,
      sql`select mode, sealed_secret as secret, lease_seconds as "leaseSeconds", version
        from intent where ${ofKey(key)} and mode <> 'denied' order by id`,
    );
    for (const row of [...intents, ...(subscription ? [subscription] : [])]) {
      row.secret = this.#secrets.open(row.secret);
    }
    return { subscription, intents };
  }

  /** Writes the result of a transition. */
  async #save(trx: Trx, key: Key, before: Pair, after: Pair, client: string): Promise<void> {
    if (after.subscription !== before.subscription) {
      await this.#saveSubscription(trx, key, after.subscription);
    }
    for (const intent of before.intents) {
      if (!after.intents.includes(intent)) await remove(trx, key, intent.mode);
    }
    const { topicId, callback } = key;
    for (const intent of after.intents) {
      if (before.intents.includes(intent)) continue;
      await sql`insert into intent
        (topic_id, callback, host, mode, sealed_secret, lease_seconds, version, client)
        values (${topicId}, ${callback}, ${hostOf(callback)}, ${intent.mode}, ${this.#secrets.seal(intent.secret)},
          ${intent.leaseSeconds}, ${intent.version}, ${client})`.execute(trx);
    }
  }

  async #saveSubscription(trx: Trx, key: Key, after: Pair['subscription']): Promise<void> {
    if (!after) {
      await sql`delete from subscription where ${ofKey(key)}`.execute(trx);
      return;
    }
    const { topicId, callback } = key;
    const host = hostOf(callback);
    // A new revision, because a running delivery is signed with the former secret: it is sent again.
    await sql`insert into subscription (topic_id, callback, host, domain, sealed_secret,
      expires_at, acknowledged, failures, answered_at)
      values (${topicId}, ${callback}, ${host}, ${domainOf(host)}, ${this.#secrets.seal(after.secret)},
        ${after.expiresAt}, ${after.acknowledged}, ${after.failures}, ${this.#store.now()})
      on conflict (topic_id, callback) do update set revision = subscription.revision + 1,
        sealed_secret = excluded.sealed_secret, expires_at = excluded.expires_at,
        acknowledged = excluded.acknowledged, failures = excluded.failures,
        answered_at = excluded.answered_at, released = 0, due_at = 0, strike_at = 0`.execute(trx);
  }
}

function ofKey({ topicId, callback }: Key) {
  return sql`topic_id = ${topicId} and callback = ${callback}`;
}

/** Removes a request or a notice. */
async function remove(trx: Trx, key: Key, mode: Mode): Promise<void> {
  await sql`delete from intent where ${ofKey(key)} and mode = ${mode}`.execute(trx);
}

/** Returns the canonical name of a host: lower case, without a final dot or brackets. */
function hostOf(callback: string): string {
  return new URL(callback).hostname.replace(/^\[|\]$|\.$/g, '');
}
