import { sql, type RawBuilder } from 'kysely';
import type { Pace } from '../hosts.ts';
import type { Task } from '../schedule.ts';
import type { Verdict } from '../verdict.ts';
import type { Parts } from './parts.ts';
import type { Secrets } from './secrets.ts';
import { isAlive, isDue, isIn, partOf, rows, type HubStore, type Trx } from './tables.ts';
import type { TopicFile } from './topics.ts';

/** A delivery that begins now. */
export interface Delivery {
  id: number;
  host: string;
  part: number;
  topicUrl: string;
  /** The topic's version when the delivery was taken. */
  version: number;
  etag: string;
  callback: string;
  secret: string | null;
  /** The row's revision when the delivery was taken; a renewal changes it. */
  revision: number;
  failures: number;
  released: number;
  strikeAt: number;
  answeredAt: number;
  expiresAt: number;
  /** By the database's clock. */
  takenAt: number;
}

export interface Settled {
  delivery: Delivery;
  verdict: Verdict;
  /** Pace of the host; none if nothing was sent. */
  pace?: Pace;
  /** True if the host responded, with any status. */
  answered: boolean;
}

/** The parts of this process. */
export type Lead = Pick<Parts, 'led' | 'leader' | 'confirm'>;

const PAGE = 500;
/** Rows stay this long after their lease, in case the clock was ahead. */
const KEPT_MS = 2 * 86_400_000;

/** Finds, takes and settles the deliveries that subscriptions are owed. */
export class Deliveries {
  readonly #store: HubStore;
  readonly #secrets: Secrets;
  readonly #parts: Lead;

  constructor(store: HubStore, secrets: Secrets, parts: Lead) {
    this.#store = store;
    this.#secrets = secrets;
    this.#parts = parts;
  }

  /**
   * Yields everything that is due for a topic in the parts of this process, in pages; nothing while
   * another content is published. A page has rows of one version, which one range of an index holds.
   */
  async *due({ url, etag }: Pick<TopicFile, 'url' | 'etag'>): AsyncGenerator<Task[]> {
    const { db } = this.#store;
    const [topic] = await rows<{ id: number; version: number }>(
      db,
      sql`select id, version from topic where url = ${url} and etag = ${etag}`,
    );
    if (!topic) return;
    for (let acknowledged = -1, id = 0, page: Task[] = []; ;) {
      if (page.length < PAGE) {
        const next = sql`select min(acknowledged) as next from subscription
          where topic_id = ${topic.id} and acknowledged > ${acknowledged}`;
        acknowledged = (await rows<{ next: number | null }>(db, next))[0]!.next ?? topic.version;
        id = 0;
      }
      if (acknowledged >= topic.version) return;
      page = await rows<Task>(
        db,
        sql`select id, host, pace, '' as client, ${partOf(this.#store, 'host')} as part
          from subscription where topic_id = ${topic.id} and acknowledged = ${acknowledged}
          and id > ${id} and ${isDue(this.#store, 'subscription')} and ${isAlive(this.#store)}
          and ${isIn(this.#store, this.#parts.led)} order by id limit ${PAGE}`,
      );
      if (page.length > 0) yield page;
      id = page.at(-1)?.id ?? 0;
    }
  }

  /** Returns deliveries that may begin now, as the rows are at this moment. */
  async take(ids: readonly number[]): Promise<Delivery[]> {
    const taken = await rows<Delivery>(
      this.#store.db,
      sql`select subscription.id, host, topic.url as "topicUrl", topic.version, topic.etag, callback,
        sealed_secret as secret, revision, failures, released, strike_at as "strikeAt",
        answered_at as "answeredAt", expires_at as "expiresAt", ${this.#store.now()} as "takenAt",
        part.id as part
        from subscription join topic on topic.id = topic_id
        join part on part.id = ${partOf(this.#store, 'host')} and leader = ${this.#parts.leader}
        where subscription.id in (${sql.join(ids)}) and acknowledged < topic.version
        and ${isDue(this.#store, 'subscription')} and ${isAlive(this.#store)}
        order by subscription.id`,
    );
    for (const row of taken) row.secret = this.#secrets.open(row.secret);
    return taken;
  }

  /**
   * Writes the results of deliveries, all or none, except those that were renewed meanwhile or whose
   * part another process leads.
   */
  settle(settled: readonly Settled[]): Promise<void> {
    return this.#store.transaction(async (trx) => {
      const parts = new Set(settled.map(({ delivery }) => delivery.part));
      const led = await this.#parts.confirm(trx, parts);
      const own = settled.filter(({ delivery }) => led.has(delivery.part));
      const groups = Map.groupBy(own, ({ delivery: { version, revision }, ...result }) =>
        JSON.stringify([result, version, revision]),
      );
      for (const group of groups.values()) await this.#write(trx, group);
    });
  }

  /** @param group differs only in the rows */
  async #write(trx: Trx, group: readonly Settled[]): Promise<void> {
    const [{ delivery, verdict, pace, answered }] = group as [Settled];
    const ids = sql.join(group.map(({ delivery }) => delivery.id));
    const own = sql`where id in (${ids}) and revision = ${delivery.revision}`;
    if (verdict.kind !== 'removed') {
      const changes = [
        this.#changes(verdict, delivery.version),
        ...(pace === undefined ? [] : [sql`pace = ${pace}`]),
        ...(answered ? [sql`answered_at = ${this.#store.now()}`] : []),
      ];
      await sql`update subscription set ${sql.join(changes)} ${own}`.execute(trx);
      return;
    }
    if (verdict.reason !== undefined) {
      await sql`insert into intent (topic_id, callback, host, mode, reason)
        select topic_id, callback, host, 'denied', ${verdict.reason} from subscription ${own}
        on conflict (topic_id, callback, mode) do nothing`.execute(trx);
    }
    await sql`delete from subscription ${own}`.execute(trx);
  }

  #changes(verdict: Exclude<Verdict, { kind: 'removed' }>, version: number): RawBuilder<unknown> {
    switch (verdict.kind) {
      case 'delivered':
        return sql`acknowledged = ${version}, failures = 0, released = 0, due_at = 0,
          strike_at = 0`;
      case 'retry':
        return sql`failures = ${verdict.failures}, due_at = ${this.#store.now(verdict.delayMs)},
          strike_at = ${this.#store.now(verdict.strikeMs)}`;
      case 'released':
        return sql`released = ${verdict.released}, due_at = ${this.#store.now(verdict.delayMs)}`;
    }
  }

  /** @throws if the store was written with another key */
  async checkKey(): Promise<void> {
    for (const table of [sql`subscription`, sql`intent`]) {
      for (const order of [sql`asc`, sql`desc`]) {
        const [row] = await rows<{ sealed: string }>(
          this.#store.db,
          sql`select sealed_secret as sealed from ${table} where sealed_secret is not null
            order by id ${order} limit 1`,
        );
        if (row) this.#secrets.open(row.sealed);
      }
    }
  }

  /** Removes rows of leases that ended long ago. Without any it still tells if the store takes writes. */
  async removeDead(): Promise<void> {
    const dead = sql`expires_at <= ${this.#store.now(-KEPT_MS)}`;
    await sql`delete from subscription where ${dead}`.execute(this.#store.db);
  }
}
