import { join } from 'node:path';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';

export type HubStore = Store<HubTables>;
export type Trx = Transaction<HubTables>;

/** The subscriber confirms the first two; `denied` is a notice. */
export type Mode = 'subscribe' | 'unsubscribe' | 'denied';

/** The hub's tables, as `createTables` makes them. Statements are SQL; only tests use these types. */
export type HubTables = Record<
  'topic' | 'subscription' | 'intent' | 'leader',
  // oxlint-disable-next-line no-explicit-any
  Record<string, any>
>;

/** No row waits longer: a day, and an hour in case the clock was corrected. */
export const LONGEST_WAIT_MS = 25 * 3_600_000;

/** The file in DATA_DIR that has the hub's state, without DATABASE_URL. */
export const STORE_FILE = 'hub.sqlite';

/** Opens the store of the settings. PostgreSQL's client is loaded only if it is used. */
export async function openHubStore(
  databaseUrl: string,
  dataDir: string,
  logger: Logger,
): Promise<HubStore> {
  if (databaseUrl === '') return openSqlite(join(dataDir, STORE_FILE));
  const { openPostgres } = await import('../../store/postgres.ts');
  return openPostgres(databaseUrl, logger);
}

/**
 * Creates the tables that are missing. Replicas that start together take turns. Times are milliseconds
 * since 1970 by the database's clock.
 */
export async function createTables(store: HubStore): Promise<void> {
  const id = sql.raw(
    store.engine === 'sqlite'
      ? 'id integer primary key autoincrement'
      : 'id bigint generated always as identity primary key',
  );
  const topic = sql`topic_id bigint not null references topic (id)`;
  const statements = [
    // A topic as last published. Its content is in the edition with this ETag.
    sql`create table if not exists topic (
      ${id}, url text not null unique, version bigint not null default 0,
      etag text not null default '',
      edition_time bigint not null default 0, -- Last-Modified of the edition
      published_at bigint not null default 0)`,
    // An active subscription. Content is pending for it while acknowledged is less than the topic's
    // version, and only then.
    sql`create table if not exists subscription (
      ${id}, ${topic}, callback text not null,
      host text not null, domain text not null default '', -- of the callback; see domainOf
      sealed_secret text, -- see Secrets
      revision bigint not null default 0, -- counts secrets, so that none signs for another
      expires_at bigint not null, -- nothing is sent from then on; the row is removed later
      acknowledged bigint not null, -- last version with a 2xx, or that when it was requested
      failures bigint not null default 0, -- consecutive ones
      released bigint not null default 0, -- those since the last success that did not count
      due_at bigint not null default 0, -- a pending version may be delivered from then on
      strike_at bigint not null default 0, -- a failure counts from then on
      pace text not null default 'unknown', -- of the host's last delivery
      answered_at bigint not null default 0, -- last response of the host
      constraint subscription_pair unique (topic_id, callback))`,
    // A request to confirm with the subscriber, or a notice for it, in the order of the requests.
    sql`create table if not exists intent (
      ${id}, ${topic}, callback text not null, host text not null, mode text not null,
      sealed_secret text, lease_seconds bigint not null default 0,
      version bigint not null default 0, -- the topic's when it was requested
      due_at bigint not null default 0,
      client text not null default '', -- network of the requesting client
      attempts bigint not null default 0, -- exchanges without a response
      reason text not null default '', -- of a denial
      constraint intent_pair unique (topic_id, callback, mode))`,
    // One row: what an earlier leader writes late is refused by its epoch; pings are those that
    // other replicas received.
    sql`create table if not exists leader (
      id bigint primary key, epoch bigint not null, pings bigint not null)`,
    sql`insert into leader (id, epoch, pings) values (1, 0, 0) on conflict (id) do nothing`,
    sql`create index if not exists subscription_owed on subscription (topic_id, acknowledged, id)`,
    sql`create index if not exists subscription_lease on subscription (expires_at)`,
    sql`create index if not exists subscription_host on subscription (host)`,
    sql`create index if not exists subscription_domain on subscription (domain)`,
    sql`create index if not exists intent_client on intent (client, mode)`,
  ];
  await store.transaction(async (trx) => {
    await store.advisoryLock(trx, 'the tables of the hub');
    for (const statement of statements) await statement.execute(trx);
  });
}

/** Runs a statement and returns its rows. */
export async function rows<Row>(
  db: Kysely<HubTables>,
  statement: RawBuilder<unknown>,
): Promise<Row[]> {
  return (await statement.execute(db)).rows as Row[];
}

export async function count(db: Kysely<HubTables>, from: RawBuilder<unknown>): Promise<number> {
  return (await rows<{ n: number }>(db, sql`select count(*) as n from ${from}`))[0]!.n;
}

/** Holds for a subscription whose lease has not ended. */
export function isAlive(store: HubStore): RawBuilder<unknown> {
  return sql`expires_at > ${store.now()}`;
}

/**
 * Holds for a row of a table that is due. A time further ahead than any wait was written while the
 * clock was wrong.
 */
export function isDue(store: HubStore, table: 'subscription' | 'intent'): RawBuilder<unknown> {
  const dueAt = sql.ref(`${table}.due_at`);
  return sql`(${dueAt} <= ${store.now()} or ${dueAt} > ${store.now(LONGEST_WAIT_MS)})`;
}
