import { sql } from 'kysely';
import type { Pace } from '../hosts.ts';
import type { Leader } from './leader.ts';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore, type Trx } from './tables.ts';
import type { Topic } from './topics.ts';

/** A subscription that is due, by its row and its host. */
export interface DueDelivery {
  id: number;
  host: string;
  pace: Pace;
}

/** A delivery that begins now. */
export interface Delivery extends DueDelivery {
  topicUrl: string;
  /** The topic's when it was taken. */
  version: number;
  etag: string;
  publishedAt: number;
  callback: string;
  secret: string | null;
  /** The row's when it was taken; a new secret has another one. */
  revision: number;
  acknowledged: number;
  failures: number;
  released: number;
  strikeAt: number;
  answeredAt: number;
  expiresAt: number;
  /** By the database's clock. */
  takenAt: number;
}

/** The result of a delivery. */
export type Verdict =
  | { kind: 'delivered' }
  /**
   * It failed, which counts.
   *
   * @param strikeMs until another failure counts
   * @param delayMs until another try, at most as long
   */
  | { kind: 'retry'; failures: number; strikeMs: number; delayMs: number }
  /** It failed, which does not count; `released` is the number of such failures. */
  | { kind: 'released'; released: number; delayMs: number }
  /** @param reason sent to the subscriber; none after a 410 */
  | { kind: 'removed'; reason?: string };

export interface Settled {
  delivery: Delivery;
  verdict: Verdict;
  /** Pace of the host; none if nothing was sent. */
  pace?: Pace;
  /** The host responded, whatever it was. */
  answered: boolean;
}

const PAGE = 500;
const REMOVED_AT_ONCE = 1_000;

/** Finds, takes and settles the deliveries that subscriptions are owed. */
export class Deliveries {
  readonly #store: HubStore;
  readonly #secrets: Secrets;
  readonly #leader: Pick<Leader, 'confirm'>;

  constructor(store: HubStore, secrets: Secrets, leader: Pick<Leader, 'confirm'>) {
    this.#store = store;
    this.#secrets = secrets;
    this.#leader = leader;
  }

  /**
   * Yields everything that is due for a topic, in pages. A page has two ranges, because SQLite would go
   * through all rows of one version that come before it.
   */
  async *due({
    id: topicId,
    version,
  }: Pick<Topic, 'id' | 'version'>): AsyncGenerator<DueDelivery[]> {
    const now = this.#store.now();
    const select = sql`select id, host, pace, acknowledged from subscription
      where due_at <= ${now} and expires_at > ${now} and topic_id = ${topicId}`;
    for (let acknowledged = -1, id = 0; ;) {
      const page = await rows<DueDelivery & { acknowledged: number }>(
        this.#store.db,
        sql`${select} and acknowledged = ${acknowledged} and id > ${id}
          union all ${select} and acknowledged > ${acknowledged} and acknowledged < ${version}
          order by 4, 1 limit ${PAGE}`,
      );
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      ({ acknowledged, id } = page.at(-1)!);
    }
  }

  /** Returns deliveries that begin now, as the rows are at this moment. */
  async take(ids: readonly number[]): Promise<Delivery[]> {
    const now = this.#store.now();
    const taken = await rows<Delivery>(
      this.#store.db,
      sql`select subscription.id, host, pace, topic.url as "topicUrl", topic.version, topic.etag,
        topic.published_at as "publishedAt", callback, sealed_secret as secret, revision,
        acknowledged, failures, released, strike_at as "strikeAt", answered_at as "answeredAt",
        expires_at as "expiresAt", ${now} as "takenAt"
        from subscription join topic on topic.id = topic_id
        where subscription.id in (${sql.join(ids)}) and acknowledged < topic.version
        and due_at <= ${now} and expires_at > ${now} order by subscription.id`,
    );
    for (const row of taken) row.secret = row.secret && this.#secrets.open(row.secret);
    return taken;
  }

  /**
   * Writes the results of deliveries, all or none; a row that was changed meanwhile is kept.
   *
   * @throws {NotLeaderError}
   */
  async settle(settled: readonly Settled[]): Promise<void> {
    const groups = Map.groupBy(
      settled,
      ({ delivery: { version, failures, revision }, ...result }) =>
        JSON.stringify([result, version, failures, revision]),
    );
    await this.#store.transaction(async (trx) => {
      await this.#leader.confirm(trx);
      for (const group of groups.values()) await this.#write(trx, group);
    });
  }

  async #write(trx: Trx, group: readonly Settled[]): Promise<void> {
    const { delivery, verdict, pace, answered } = group[0]!;
    const { version, failures, revision, publishedAt } = delivery;
    const ids = sql.join(group.map(({ delivery }) => delivery.id));
    const own = sql`where id in (${ids}) and revision = ${revision} and failures = ${failures}`;
    const now = this.#store.now();
    const host = sql`${pace === undefined ? sql`` : sql`, pace = ${pace}`}
      ${answered ? sql`, answered_at = ${now}` : sql``}`;
    switch (verdict.kind) {
      case 'delivered':
        await sql`update subscription set acknowledged = ${version}, failures = 0, released = 0,
          due_at = 0, strike_at = 0, owed_since = 0 ${host}
          where id in (${ids}) and revision = ${revision}
          and acknowledged < ${version}`.execute(trx);
        return;
      case 'retry':
        await sql`update subscription set failures = ${verdict.failures},
          due_at = ${this.#store.now(verdict.delayMs)},
          strike_at = ${this.#store.now(verdict.strikeMs)},
          owed_since = case owed_since when 0 then ${publishedAt} else owed_since end ${host}
          ${own}`.execute(trx);
        return;
      case 'released':
        await sql`update subscription set released = ${verdict.released},
          due_at = ${this.#store.now(verdict.delayMs)} ${host} ${own}`.execute(trx);
        return;
      case 'removed':
        if (verdict.reason !== undefined) {
          await sql`insert into intent (topic_id, callback, host, mode, reason)
            select topic_id, callback, host, 'denied', ${verdict.reason} from subscription ${own}
            on conflict (topic_id, callback, mode) do nothing`.execute(trx);
        }
        await sql`delete from subscription ${own}`.execute(trx);
    }
  }

  /** @throws {WrongKeyError} if the store was written with another key */
  async checkKey(): Promise<void> {
    for (const order of [sql`asc`, sql`desc`]) {
      const [row] = await rows<{ sealed: string }>(
        this.#store.db,
        sql`select sealed_secret as sealed from subscription where sealed_secret is not null
          order by id ${order} limit 1`,
      );
      if (row) this.#secrets.open(row.sealed);
    }
  }

  /** Makes everything due that would be later, because the clock was ahead when that was written. */
  async forgetFuture(): Promise<void> {
    const { db } = this.#store;
    const later = sql`due_at > ${this.#store.now()}`;
    await sql`update subscription set due_at = 0, strike_at = 0 where ${later}`.execute(db);
    await sql`update intent set due_at = 0 where ${later}`.execute(db);
  }

  /** Removes subscriptions whose lease was over by then, some at once. @returns their number */
  async removeExpired(by: number): Promise<number> {
    const { numAffectedRows } = await sql`delete from subscription where id in (
      select id from subscription where expires_at <= ${by}
      order by expires_at limit ${REMOVED_AT_ONCE})`.execute(this.#store.db);
    return Number(numAffectedRows);
  }
}
