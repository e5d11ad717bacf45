import { join } from 'node:path';
import { sql, type Generated, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Logger } from '../../base/log.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { Pace } from '../hosts.ts';

export type HubStore = Store<HubTables>;
export type Trx = Transaction<HubTables>;

/** The subscriber confirms the first two; `denied` is a notice. */
export type Mode = 'subscribe' | 'unsubscribe' | 'denied';

/** The hub's tables. Times are milliseconds since 1970 by the database's clock. */
export interface HubTables {
  topic: TopicTable;
  subscription: SubscriptionTable;
  intent: IntentTable;
  leader: LeaderTable;
}

/** A topic as last published. Its content is in the edition with this ETag. */
interface TopicTable {
  id: Generated<number>;
  url: string;
  /** Counts changes; 0 before the first content. */
  version: Generated<number>;
  etag: Generated<string>;
  /** Last-Modified of the content's edition. */
  edition_time: Generated<number>;
  /** Time this version was published. */
  published_at: Generated<number>;
}

/**
 * An active subscription. The topic's content is pending for it while `acknowledged` is less than
 * the topic's version, and only then.
 */
interface SubscriptionTable {
  id: Generated<number>;
  topic_id: number;
  callback: string;
  /** Host name of the callback, and its domain; see `domainOf`. */
  host: string;
  domain: Generated<string>;
  /** Encrypted; see `Secrets`. */
  sealed_secret: string | null;
  /** Counts secrets: only a delivery signed with the present one may write its outcome. */
  revision: Generated<number>;
  /** Nothing is sent from then on; the row is removed later. */
  expires_at: number;
  /** The version last acknowledged by a 2xx; initially the one at the time of the request. */
  acknowledged: number;
  /** Consecutive failures; above 0 only while a version is pending. */
  failures: Generated<number>;
  /** Failures since the last success that did not count, because they seemed to be the hub's. */
  released: Generated<number>;
  /** Time from which a pending version may be delivered. */
  due_at: Generated<number>;
  /** Time from which another failure counts; an earlier try finds out if a host is back. */
  strike_at: Generated<number>;
  /** Time the oldest failed version was published; 0 while nothing has failed. */
  owed_since: Generated<number>;
  /** Pace of the host's last delivery, for fairness among hosts. */
  pace: Generated<Pace>;
  /** Time of the last response from the host. */
  answered_at: Generated<number>;
}

/** A request to confirm with the subscriber, or a notice for it: one per mode and subscription. */
interface IntentTable {
  /** In request order. */
  id: Generated<number>;
  topic_id: number;
  callback: string;
  host: string;
  mode: Mode;
  sealed_secret: string | null;
  lease_seconds: Generated<number>;
  /** The topic's version at the time of the request; later versions are delivered. */
  version: Generated<number>;
  due_at: Generated<number>;
  /** Network of the requesting client, for fairness among them. */
  client: Generated<string>;
  /** Exchanges without a response. */
  attempts: Generated<number>;
  /** Reason of a denial. */
  reason: Generated<string>;
}

/** One row, by which the leader and the other replicas know of each other. */
interface LeaderTable {
  id: number;
  /** Counts leaders: what an earlier one writes late is refused. */
  epoch: number;
  /** Counts pings that replicas received; the leader looks for a newer edition. */
  pings: number;
}

/** Returns the file of the hub's state, without DATABASE_URL. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'hub.sqlite');
}

/** Opens the store of the settings. PostgreSQL's client is loaded only if it is used. */
export async function openHubStore(
  databaseUrl: string,
  dataDir: string,
  logger: Logger,
): Promise<HubStore> {
  if (databaseUrl === '') return openSqlite(storeFile(dataDir));
  const { openPostgres } = await import('../../store/postgres.ts');
  return openPostgres(databaseUrl, logger);
}

/**
 * Returns the migrations of the hub's tables. A released one never changes what it does. Each
 * statement can run again, because SQLite's are not in one transaction.
 */
export function migrations(engine: HubStore['engine']): Record<string, Migration> {
  return { '0001-hub': { up: (db) => createTables(db, engine) } };
}

async function createTables(db: Kysely<unknown>, engine: HubStore['engine']): Promise<void> {
  const id = sql.raw(
    engine === 'sqlite'
      ? 'id integer primary key autoincrement'
      : 'id bigint generated always as identity primary key',
  );
  const topic = sql`topic_id bigint not null references topic (id)`;
  for (const statement of [
    sql`create table if not exists topic (
      ${id}, url text not null unique, version bigint not null default 0,
      etag text not null default '', edition_time bigint not null default 0,
      published_at bigint not null default 0)`,
    sql`create table if not exists subscription (
      ${id}, ${topic}, callback text not null, host text not null,
      domain text not null default '', sealed_secret text, revision bigint not null default 0,
      expires_at bigint not null, acknowledged bigint not null,
      failures bigint not null default 0, released bigint not null default 0,
      due_at bigint not null default 0, strike_at bigint not null default 0,
      owed_since bigint not null default 0, pace text not null default 'unknown',
      answered_at bigint not null default 0,
      constraint subscription_pair unique (topic_id, callback))`,
    sql`create table if not exists intent (
      ${id}, ${topic}, callback text not null, host text not null, mode text not null,
      sealed_secret text, lease_seconds bigint not null default 0,
      version bigint not null default 0, due_at bigint not null default 0,
      client text not null default '', attempts bigint not null default 0,
      reason text not null default '',
      constraint intent_pair unique (topic_id, callback, mode))`,
    sql`create table if not exists leader (
      id bigint primary key, epoch bigint not null, pings bigint not null)`,
    sql`insert into leader (id, epoch, pings) values (1, 0, 0) on conflict (id) do nothing`,
    sql`create index if not exists subscription_owed on subscription (topic_id, acknowledged, id)`,
    sql`create index if not exists subscription_lease on subscription (expires_at)`,
    sql`create index if not exists subscription_host on subscription (host)`,
    sql`create index if not exists subscription_domain on subscription (domain)`,
    sql`create index if not exists intent_client on intent (client, mode)`,
  ]) {
    await statement.execute(db);
  }
}

/** Runs a statement and returns its rows. */
export async function rows<Row>(
  db: Pick<Kysely<never>, 'getExecutor'>,
  statement: RawBuilder<unknown>,
): Promise<Row[]> {
  return (await statement.execute(db)).rows as Row[];
}

export async function count(
  db: Pick<Kysely<never>, 'getExecutor'>,
  from: RawBuilder<unknown>,
): Promise<number> {
  return (await rows<{ n: number }>(db, sql`select count(*) as n from ${from}`))[0]!.n;
}
