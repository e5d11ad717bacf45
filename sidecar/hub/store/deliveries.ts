import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore, type HubTables } from './tables.ts';
import type { Topic } from './topics.ts';

/** A subscription that is due, by its row and its host. */
export interface DueDelivery {
  id: number;
  host: string;
}

/** A delivery that begins now. */
export interface Delivery extends DueDelivery {
  topicId: number;
  topicUrl: string;
  /** The topic's when it was taken. */
  version: number;
  etag: string;
  callback: string;
  secret: string | null;
  acknowledged: number;
  failures: number;
  expiresAt: number;
  /** By the database's clock. */
  takenAt: number;
  publishedAt: number;
  /** The row's when it was taken; a renewal or another replica replaces it. */
  claim: string | null;
}

/**
 * The result of a delivery.
 *
 * @param answer a status or a few words
 */
export type Verdict =
  | { kind: 'delivered'; answer: string }
  | { kind: 'retry'; answer: string; failures: number; delayMs: number }
  /** @param reason sent to the subscriber; none after a 410 */
  | { kind: 'removed'; reason?: string }
  /** It was not begun or was cut off, or the failure seems to be the hub's. */
  | { kind: 'released'; delayMs: number };

export interface Settled {
  delivery: Delivery;
  verdict: Verdict;
}

const PAGE = 500;
/** Longer than a transaction takes that makes a row due. */
const OVERLAP_MS = 2_000;
const EXPIRED_AT_ONCE = 1_000;

/** Finds, takes and settles the deliveries that subscriptions are owed. */
export class Deliveries {
  readonly #store: HubStore;
  readonly #secrets: Secrets;
  /** The time until which everything due was yielded, by topic. */
  readonly #seen = new Map<number, { version: number; until: number }>();

  constructor(store: HubStore, secrets: Secrets) {
    this.#store = store;
    this.#secrets = secrets;
  }

  /**
   * Yields what has become due since the last call, in pages; the topics take turns. A new version is
   * due for everybody; whatever else becomes due has the time of that in its row.
   */
  async *due(topics: readonly Topic[]): AsyncGenerator<DueDelivery[]> {
    for (let walks = topics.map((topic) => this.#dueOf(topic)); walks.length > 0;) {
      for (const walk of walks) {
        const { value, done } = await walk.next();
        if (done) walks = walks.filter((other) => other !== walk);
        else yield value;
      }
    }
  }

  /** Makes the next call of `due` yield everything that is due. */
  startOver(): void {
    this.#seen.clear();
  }

  /**
   * Goes through the few versions that subscribers have, because SQLite searches an index by one
   * range only.
   */
  async *#dueOf({ id, version }: Topic): AsyncGenerator<DueDelivery[]> {
    const { db } = this.#store;
    const seen = this.#seen.get(id);
    const from = seen?.version === version ? seen.until - OVERLAP_MS : 0;
    const [time] = await rows<{ now: number }>(db, sql`select ${this.#store.now()} as now`);
    const until = time!.now;
    for (let acknowledged = -1; ;) {
      const [next] = await rows<{ least: number | null }>(
        db,
        sql`select min(acknowledged) as least from subscription
          where topic_id = ${id} and acknowledged > ${acknowledged} and acknowledged < ${version}`,
      );
      if (next?.least == null) break;
      acknowledged = next.least;
      yield* this.#pages(sql`topic_id = ${id} and acknowledged = ${acknowledged}`, from, until);
    }
    this.#seen.set(id, { version, until });
  }

  /** Two ranges, because SQLite would go through all rows of one time that come before the page. */
  async *#pages(
    owed: RawBuilder<unknown>,
    from: number,
    until: number,
  ): AsyncGenerator<DueDelivery[]> {
    const live = sql`expires_at > ${until} as "isLive"`;
    const select = sql`select id, due_at as "dueAt", host, ${live} from subscription where ${owed}`;
    for (let dueAt = from, id = 0; ;) {
      const page = await rows<DueDelivery & { dueAt: number; isLive: boolean | number }>(
        this.#store.db,
        sql`${select} and due_at = ${dueAt} and id > ${id}
          union all ${select} and due_at > ${dueAt} and due_at <= ${until}
          order by 2, 1 limit ${PAGE}`,
      );
      if (page.length > 0) yield page.filter(({ isLive }) => isLive);
      if (page.length < PAGE) return;
      ({ dueAt, id } = page.at(-1)!);
    }
  }

  /**
   * Takes deliveries that begin now, as the rows are at this moment. On SQLite there is one process,
   * which knows what it has under way; replicas on PostgreSQL write down who has what.
   */
  async take(ids: readonly number[], claimMs: number): Promise<Delivery[]> {
    const { db, engine } = this.#store;
    const now = this.#store.now();
    const free = sql`subscription.id in (${sql.join(ids)}) and subscription.due_at <= ${now}
      and expires_at > ${now} and acknowledged < topic.version`;
    const columns = sql`subscription.id, host, topic_id as "topicId", topic.url as "topicUrl",
      topic.version, topic.etag, topic.published_at as "publishedAt", callback, sealed_secret as secret,
      acknowledged, failures, expires_at as "expiresAt", claim, ${now} as "takenAt"`;
    const join = sql`topic where topic.id = topic_id and ${free}`;
    const taken = await rows<Delivery>(
      db,
      engine === 'sqlite'
        ? sql`select ${columns} from subscription, ${join} order by subscription.id`
        : sql`update subscription set claim = ${randomUUID()}, due_at = ${this.#store.now(claimMs)}
            from ${join} and subscription.id in (
              select subscription.id from subscription, ${join} for update of subscription skip locked
            ) returning ${columns}`,
    );
    for (const row of taken) row.secret = row.secret && this.#secrets.open(row.secret);
    return taken;
  }

  /** Writes the results of deliveries, all or none; a row that was changed meanwhile is kept. */
  async settle(settled: readonly Settled[]): Promise<void> {
    const groups = Map.groupBy(settled, ({ delivery: { claim, version, failures }, verdict }) =>
      JSON.stringify([claim, verdict, version, failures]),
    );
    await this.#store.transaction(async (trx) => {
      for (const group of groups.values()) await this.#write(trx, group);
    });
  }

  async #write(trx: Transaction<HubTables>, group: readonly Settled[]): Promise<void> {
    const { delivery, verdict } = group[0]!;
    const ids = sql.join(group.map(({ delivery }) => delivery.id));
    const held = sql`where id in (${ids}) and claim is not distinct from ${delivery.claim}`;
    const unchanged = sql`${held} and failures = ${delivery.failures}`;
    switch (verdict.kind) {
      case 'delivered':
        await sql`update subscription set claim = null, acknowledged = ${delivery.version},
          failures = 0, due_at = ${this.#store.now()}, owed_since = 0, attempts = ${this.#attempt(verdict)}
          ${held}`.execute(trx);
        return;
      case 'retry':
        await sql`update subscription set claim = null, failures = ${verdict.failures},
          due_at = ${this.#store.now(verdict.delayMs)},
          owed_since = case owed_since when 0 then ${delivery.publishedAt} else owed_since end,
          attempts = attempts || ${this.#attempt(verdict)} ${unchanged}`.execute(trx);
        return;
      case 'released':
        await sql`update subscription set claim = null, due_at = ${this.#store.now(verdict.delayMs)}
          ${held}`.execute(trx);
        return;
      case 'removed':
        if (verdict.reason !== undefined) {
          await sql`insert into intent
            (topic_id, callback, host, mode, lease_seconds, version, reason)
            select topic_id, callback, host, 'denied', 0, 0, ${verdict.reason}
            from subscription ${unchanged}
            on conflict (topic_id, callback, mode) do nothing`.execute(trx);
        }
        await sql`delete from subscription ${unchanged}`.execute(trx);
    }
  }

  /** The database's time and the answer, as one text. */
  #attempt({ answer }: { answer: string }): RawBuilder<string> {
    return sql`cast(${this.#store.now()} as text) || cast(${` ${answer},`} as text)`;
  }

  /** @throws {WrongKeyError} if the store was written with another key */
  async checkKey(): Promise<void> {
    const [row] = await rows<{ sealed: string }>(
      this.#store.db,
      sql`select sealed_secret as sealed from subscription where sealed_secret is not null limit 1`,
    );
    if (row) this.#secrets.open(row.sealed);
  }

  /** Removes subscriptions whose lease is over, a limited number at once. @returns their number */
  async removeExpired(): Promise<number> {
    const { db, skipLocked } = this.#store;
    const { numAffectedRows } = await sql`delete from subscription where id in (
      select id from subscription where expires_at <= ${this.#store.now()}
      order by expires_at limit ${EXPIRED_AT_ONCE} ${skipLocked})`.execute(db);
    return Number(numAffectedRows);
  }
}
