import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Topic } from './topics.ts';
import type { HubStore, HubTables } from './tables.ts';

/** A subscription that is due, by its row and its host. */
export interface Candidate {
  id: number;
  host: string;
}

/** A selection of what is due. */
export interface DueOptions {
  /** Those whose content this replica has; the first one's subscribers come first. */
  topics: readonly Topic[];
  limit: number;
  /** How many rows of a host to return, so that one with many does not hide the others. */
  room: (host: string) => number;
  /** Up to which row those of a host are known, as far as they are not to be looked at again yet. */
  seen: (host: string) => number;
  /** Rows that are under way already. */
  isKnown: (id: number) => boolean;
  /** Where in the order of host names to begin; it goes on from the first name after the last. */
  fromHost: string;
}

/** A delivery that begins now. */
export interface Delivery extends Candidate {
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
  /** What the row had when it was taken; a renewal or another replica puts another in its place. */
  claim: string | null;
}

/** What became of a delivery. */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; failures: number; delayMs: number }
  /** @param reason that the subscriber is told; none for one that said itself that it is gone */
  | { kind: 'removed'; reason?: string }
  /** It was not begun, or cut off by a shutdown, or failed by no fault of the subscriber's. */
  | { kind: 'released'; delayMs: number };

export interface Settled {
  delivery: Delivery;
  verdict: Verdict;
}

/** In the order of hosts and rows. */
interface Place {
  host: string;
  id?: number;
}

const PAGE = 512;
/** Of hosts one after the other; a host with more is then read by larger pages, or stepped over. */
const HOSTS_PAGE = 64;
/** Written into the statement, for the partial indexes are for just this number. */
const NONE = sql.lit(0);
const EXPIRED_AT_ONCE = 1_000;

/** The plus keeps SQLite from searching by what nearly all have in common. */
const UNEXPIRED = sql<number>`+subscription.expires_at`;
const OF_TOPIC = sql<number>`+subscription.topic_id`;

/** What is owed to subscriptions: how it is found, taken and settled. */
export class Deliveries {
  readonly #store: HubStore;

  constructor(store: HubStore) {
    this.#store = store;
  }

  /** Returns some of what is due: first what failed before, then what was not tried yet. */
  async due(options: DueOptions): Promise<Candidate[]> {
    const { topics } = options;
    if (topics.length === 0) return [];
    const share = new Share(options);
    await this.#failing(options, share);
    for (const topic of topics) {
      for (let seen: number | undefined = -1; ;) {
        seen = await this.#acknowledgedAfter(topic, seen);
        if (seen === undefined || share.isFull) break;
        await this.#walk(topic, seen, options, share);
      }
    }
    return share.taken;
  }

  /** Offers what failed before, the longest due first. */
  async #failing({ topics }: DueOptions, share: Share): Promise<void> {
    const now = this.#store.now();
    for (let after: { due_at: number; id: number } | undefined = { due_at: -1, id: 0 }; after;) {
      const { due_at, id } = after;
      const rows: (Candidate & { due_at: number })[] = await this.#store.db
        .selectFrom('subscription')
        .select(['id', 'host', 'due_at'])
        .where('failures', '>', NONE)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('due_at', 'id'), '>', tuple(due_at, id)))
        .where('due_at', '<=', now)
        .where(UNEXPIRED, '>', now)
        .where(
          OF_TOPIC,
          'in',
          topics.map((topic) => topic.id),
        ) // prettier-ignore
        .orderBy('due_at')
        .orderBy('id')
        .limit(PAGE)
        .execute();
      share.offer(rows);
      after = rows.length < PAGE || share.isFull ? undefined : rows.at(-1);
    }
  }

  /** The versions that subscribers of a topic have are few, so they are gone through one by one. */
  async #acknowledgedAfter({ id, version }: Topic, seen: number): Promise<number | undefined> {
    const row = await this.#store.db
      .selectFrom('subscription')
      .select('acknowledged')
      .where('topic_id', '=', id)
      .where('failures', '=', NONE)
      .where('acknowledged', '>', seen)
      .where('acknowledged', '<', version)
      .orderBy('acknowledged')
      .limit(1)
      .executeTakeFirst();
    return row?.acknowledged;
  }

  /** Goes once through the hosts, beginning where it was told; each gives no more than its share. */
  async #walk(
    topic: Topic,
    version: number,
    { fromHost, seen }: DueOptions,
    share: Share,
  ): Promise<void> {
    const ranges = [
      { first: fromHost, to: undefined },
      { first: '', to: fromHost },
    ];
    for (const { first, to } of ranges) {
      for (let after: Place | undefined = { host: first }; after && !share.isFull;) {
        const rows: Candidate[] = await this.#page(topic, version, after, to);
        share.offer(rows);
        const last = rows.at(-1);
        // Of a host that has its share the rest is stepped over, and not read.
        if (rows.length === (after.id === undefined ? HOSTS_PAGE : PAGE))
          after = share.isOpenTo(last!.host)
            ? { host: last!.host, id: Math.max(last!.id, seen(last!.host)) }
            : { host: last!.host };
        else after = after.id === undefined ? undefined : { host: after.host };
      }
    }
  }

  /** Returns subscriptions after a place: the rest of its host if it names a row, else other hosts. */
  #page(topic: Topic, seen: number, { host, id }: Place, to?: string): Promise<Candidate[]> {
    const now = this.#store.now();
    return this.#store.db
      .selectFrom('subscription')
      .select(['id', 'host'])
      .where('topic_id', '=', topic.id)
      .where('failures', '=', NONE)
      .where('acknowledged', '=', seen)
      .where('host', id === undefined ? '>' : '=', host)
      .$if(id !== undefined, (query) => query.where('id', '>', id!))
      .$if(to !== undefined, (query) => query.where('host', '<=', to!))
      .where('due_at', '<=', now)
      .where(UNEXPIRED, '>', now)
      .orderBy('host')
      .orderBy('id')
      .limit(id === undefined ? HOSTS_PAGE : PAGE)
      .execute();
  }

  /**
   * Takes deliveries that begin now, as the rows are at this moment. On SQLite there is one process,
   * which knows what it has under way; replicas on PostgreSQL write down who has what.
   */
  async take(ids: readonly number[], claimMs: number): Promise<Delivery[]> {
    if (this.#store.engine === 'sqlite') return this.#read(this.#store.db, ids);
    const claim = randomUUID();
    return this.#store.transaction(async (trx) => {
      const now = this.#store.now();
      const free = trx
        .selectFrom('subscription')
        .select('id')
        .where('id', 'in', ids)
        .where('due_at', '<=', now);
      const rows = await this.#store.unlocked(free, 'subscription').execute();
      if (rows.length === 0) return [];
      const taken = rows.map(({ id }) => id);
      await trx
        .updateTable('subscription')
        .set({ claim, due_at: this.#store.now(claimMs) })
        .where('id', 'in', taken)
        .execute();
      return this.#read(trx, taken, claim);
    });
  }

  /** @param claim under which they were just taken */
  async #read(db: HubStore['db'], ids: readonly number[], claim?: string): Promise<Delivery[]> {
    const now = this.#store.now();
    return db
      .selectFrom('subscription')
      .innerJoin('topic', 'topic.id', 'subscription.topic_id')
      .select(['subscription.id', 'topic_id as topicId', 'topic.url as topicUrl'])
      .select(['topic.version', 'topic.etag', 'topic.published_at as publishedAt'])
      .select(['callback', 'host', 'secret', 'acknowledged', 'failures', 'claim'])
      .select(['expires_at as expiresAt', now.as('takenAt')])
      .where('subscription.id', 'in', ids)
      .whereRef('acknowledged', '<', 'topic.version')
      .where('expires_at', '>', now)
      .$if(claim === undefined, (query) => query.where('due_at', '<=', now))
      .orderBy('subscription.id')
      .execute();
  }

  /** Writes what became of deliveries, all or none; a row that was changed meanwhile is let be. */
  async settle(settled: readonly Settled[]): Promise<void> {
    const groups = new Map<string, Settled[]>();
    for (const one of settled) {
      const { claim, version, failures } = one.delivery;
      const key = JSON.stringify([claim, one.verdict, version, failures]);
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    await this.#store.transaction(async (trx) => {
      for (const group of groups.values()) await this.#write(trx, group);
    });
  }

  async #write(trx: Transaction<HubTables>, group: readonly Settled[]): Promise<void> {
    const { delivery, verdict } = group[0]!;
    const ids = group.map(({ delivery }) => delivery.id);
    if (verdict.kind === 'removed') {
      const removed = await trx
        .deleteFrom('subscription')
        .where('id', 'in', ids)
        .where('claim', 'is not distinct from', delivery.claim)
        .where('failures', '=', delivery.failures)
        .returning(['topic_id', 'callback', 'host'])
        .execute();
      if (verdict.reason === undefined || removed.length === 0) return;
      const notice = { mode: 'denied', reason: verdict.reason, lease_seconds: 0 } as const;
      await trx
        .insertInto('intent')
        .values(
          removed.map((row) => ({ ...row, ...notice, secret: null, version: 0, claim: null })),
        )
        .onConflict((conflict) => conflict.columns(['topic_id', 'callback', 'mode']).doNothing())
        .execute();
      return;
    }
    await trx
      .updateTable('subscription')
      .set({ claim: null, ...this.#changes(delivery, verdict) })
      .where('id', 'in', ids)
      .where('claim', 'is not distinct from', delivery.claim)
      .$if(verdict.kind === 'retry', (query) => query.where('failures', '=', delivery.failures))
      .execute();
  }

  #changes({ version, publishedAt }: Delivery, verdict: Exclude<Verdict, { kind: 'removed' }>) {
    switch (verdict.kind) {
      case 'delivered':
        return { acknowledged: version, failures: 0, due_at: 0, owed_since: 0 };
      case 'retry': {
        const { failures, delayMs } = verdict;
        const since = sql<number>`case owed_since when 0 then ${publishedAt} else owed_since end`;
        return { failures, due_at: this.#store.now(delayMs), owed_since: since };
      }
      case 'released':
        return { due_at: verdict.delayMs === 0 ? 0 : this.#store.now(verdict.delayMs) };
    }
  }

  /** Ends every claim: whoever held one is gone. */
  async endClaims(): Promise<void> {
    await this.#store.db
      .updateTable('subscription')
      .set({ claim: null, due_at: 0 })
      .where('claim', 'is not', null)
      .execute();
  }

  /** Removes subscriptions whose lease has ended. @returns how many */
  async removeExpired(): Promise<number> {
    const store = this.#store;
    return store.transaction(async (trx) => {
      const expired = trx
        .selectFrom('subscription')
        .select('id')
        .where('expires_at', '<=', store.now())
        .orderBy('expires_at')
        .limit(EXPIRED_AT_ONCE);
      const rows = await store.unlocked(expired, 'subscription').execute();
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await trx.deleteFrom('subscription').where('id', 'in', ids).execute();
      return ids.length;
    });
  }
}

/** What is taken of what is offered: so much in all, and so much of a host. */
class Share {
  readonly taken: Candidate[] = [];
  readonly #options: DueOptions;
  readonly #hosts = new Map<string, number>();

  constructor(options: DueOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.taken.length >= this.#options.limit;
  }

  isOpenTo(host: string): boolean {
    return (this.#hosts.get(host) ?? 0) < this.#options.room(host);
  }

  offer(rows: readonly Candidate[]): void {
    for (const row of rows) {
      if (this.isFull) return;
      if (this.#options.isKnown(row.id) || !this.isOpenTo(row.host)) continue;
      this.#hosts.set(row.host, (this.#hosts.get(row.host) ?? 0) + 1);
      this.taken.push(row);
    }
  }
}
