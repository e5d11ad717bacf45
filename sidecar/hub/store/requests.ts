import { sql } from 'kysely';
import { notVerified, request, verified, type Intent } from '../subscription.ts';
import {
  dueRequests,
  putOff,
  takeRequests,
  type DueRequest,
  type TakenRequest,
} from './due-requests.ts';
import { hostOf, Pairs, remove, type Key, type Trx } from './pairs.ts';
import { count, Room, type Limits } from './room.ts';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore, type Mode } from './tables.ts';

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

  /** Returns due verifications and notices; see `dueRequests`. */
  due(limit: number): Promise<DueRequest[]> {
    return dueRequests(this.#store, limit);
  }

  /** Takes requests that begin now; see `takeRequests`. */
  take(ids: readonly number[], claimMs: number): Promise<TakenRequest[]> {
    return takeRequests(this.#store, ids, claimMs);
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
