import { sql } from 'kysely';
import { asksSubscriber, notVerified, request, verified, type Intent } from '../subscription.ts';
import type { Leader } from './leader.ts';
import { hostOf, Pairs, remove, type Key } from './pairs.ts';
import { HubFullError, Room, type LIMITS } from './room.ts';
import type { Secrets } from './secrets.ts';
import { count, rows, type HubStore, type Mode, type Trx } from './tables.ts';

/** A due verification or notice. */
export interface DueRequest {
  id: number;
  host: string;
  /** Network of the requesting client. */
  client: string;
}

/** A verification or notice that begins now. */
export interface TakenRequest extends Key, DueRequest {
  mode: Mode;
  topicUrl: string;
  reason: string;
  attempts: number;
  /** Lease to state: of the new subscription, or what is left of the existing one. */
  leaseSeconds: number;
  /** Tells if there is a subscription. */
  isActive: boolean;
  /** By the database's clock. */
  takenAt: number;
}

/** A request of a subscriber. */
export interface Wish extends Omit<Intent, 'version'> {
  topicUrl: string;
  callback: string;
  /** ETag of the subscriber's content, if stated. */
  etag?: string;
}

/**
 * The subscriber's answer.
 *
 * @param askedAt when the GET began, by the database's clock
 * @param reason why the subscriber was unreachable
 */
export type Reply =
  | { kind: 'confirmed'; askedAt: number }
  | { kind: 'refused' }
  | { kind: 'none'; reason: string };

/**
 * Milliseconds until the next attempt, because an unreachable subscriber may still be starting up.
 */
const ASK_AGAIN_MS = [5_000, 30_000, 300_000];

/** Stores and settles requests for subscriptions. */
export class Requests {
  readonly #store: HubStore;
  readonly #pairs: Pairs;
  readonly #leader: Pick<Leader, 'confirm'>;
  readonly #room: Room;

  /** @param most subscriptions */
  constructor(
    store: HubStore,
    secrets: Secrets,
    leader: Pick<Leader, 'confirm'>,
    most: number,
    limits?: typeof LIMITS,
  ) {
    this.#store = store;
    this.#pairs = new Pairs(store, secrets);
    this.#leader = leader;
    this.#room = new Room(most, limits);
  }

  /**
   * Stores a request; it is on disk when this resolves.
   *
   * @param client network of the client
   * @throws {HubFullError} if there is no room for a new subscription
   */
  async add({ topicUrl, callback, etag, ...wish }: Wish, client: string): Promise<void> {
    await this.#store.transaction(async (trx) => {
      await sql`insert into topic (url) values (${topicUrl}) on conflict (url) do nothing`.execute(
        trx,
      );
      const [topic] = await rows<{ id: number; version: number; etag: string }>(
        trx,
        sql`select id, version, etag from topic where url = ${topicUrl}`,
      );
      const key = { topicId: topic!.id, callback };
      const before = await this.#pairs.load(trx, key);
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
        and (mode = 'denied' or not exists (
          select 1 from intent as earlier where earlier.topic_id = intent.topic_id
          and earlier.callback = intent.callback and earlier.id < intent.id
          and earlier.mode <> 'denied'))
        order by row_number() over (partition by client order by id), id limit ${limit}`,
    );
  }

  /** Returns requests that begin now, in their present state. */
  async take(ids: readonly number[]): Promise<TakenRequest[]> {
    const now = this.#store.now();
    const found = await rows<Omit<TakenRequest, 'isActive'> & { expiresAt: number | null }>(
      this.#store.db,
      sql`select intent.id, intent.mode, intent.callback, intent.host, intent.client,
        intent.attempts, intent.reason, intent.topic_id as "topicId", topic.url as "topicUrl",
        intent.lease_seconds as "leaseSeconds", ${now} as "takenAt",
        subscription.expires_at as "expiresAt"
        from intent join topic on topic.id = intent.topic_id
        left join subscription on subscription.topic_id = intent.topic_id
          and subscription.callback = intent.callback
        where intent.id in (${sql.join(ids)}) and intent.due_at <= ${now} order by intent.id`,
    );
    return found.map(({ expiresAt, ...row }) => {
      const left = Math.max(0, Math.ceil(((expiresAt ?? 0) - row.takenAt) / 1000));
      const leaseSeconds = row.mode === 'subscribe' ? row.leaseSeconds : left;
      return { ...row, leaseSeconds, isActive: left > 0 };
    });
  }

  /**
   * Writes the subscriber's answer, unless a newer request arrived.
   *
   * @returns true if it was written
   * @throws {NotLeaderError}
   */
  settle(taken: TakenRequest, answer: Reply): Promise<boolean> {
    return this.#store.transaction(async (trx) => {
      await this.#leader.confirm(trx);
      const before = await this.#pairs.load(trx, taken);
      if ((await count(trx, sql`intent where id = ${taken.id}`)) === 0) return false;
      const delay = answer.kind === 'none' ? ASK_AGAIN_MS[taken.attempts] : undefined;
      if (delay !== undefined) {
        await sql`update intent set attempts = attempts + 1, due_at = ${this.#store.now(delay)}
          where id = ${taken.id}`.execute(trx);
      } else if (taken.mode === 'denied') await remove(trx, taken, 'denied');
      else {
        const isSubscribed = before.subscription !== null;
        const isMeant = answer.kind === 'confirmed' && asksSubscriber(taken.mode, isSubscribed);
        const full =
          isMeant && !isSubscribed ? await this.#room.fullFor(trx, taken.host) : undefined;
        const isVerified = isMeant && full === undefined;
        const after = isVerified ? verified(before, answer.askedAt) : notVerified(before);
        await this.#pairs.save(trx, taken, before, after, taken.client);
        const reason = full ?? (answer.kind === 'none' ? answer.reason : undefined);
        if (reason !== undefined && taken.mode === 'subscribe') {
          await this.#deny(trx, taken, reason, full === undefined);
        }
      }
      return true;
    });
  }

  /**
   * Queues a notice, unless there is one.
   *
   * @param isLate it is sent later and once, because nobody answered so far
   */
  async #deny(trx: Trx, taken: TakenRequest, reason: string, isLate: boolean): Promise<void> {
    const { topicId, callback, host, client } = taken;
    const dueAt = this.#store.now(isLate ? ASK_AGAIN_MS[0] : 0);
    await sql`insert into intent
      (topic_id, callback, host, mode, due_at, client, attempts, reason)
      values (${topicId}, ${callback}, ${host}, 'denied', ${dueAt}, ${client},
        ${isLate ? ASK_AGAIN_MS.length : 0}, ${reason})
      on conflict (topic_id, callback, mode) do nothing`.execute(trx);
  }
}
