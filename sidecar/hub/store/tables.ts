import { join } from 'node:path';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { RefusedStoreError } from '../../store/errors.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';

export type HubStore = Store<HubTables>;
export type Trx = Transaction<HubTables>;

/** The subscriber confirms the first two; `denied` is a notice. */
export type Mode = 'subscribe' | 'unsubscribe' | 'denied';

/** The hub's tables, as `createTables` makes them. Statements are SQL; only tests use these types. */
export type HubTables = Record<
  'topic' | 'subscription' | 'intent' | 'part',
  // oxlint-disable-next-line no-explicit-any
  Record<string, any>
>;

/** No row waits longer: a day, and an hour in case the clock was corrected. */
export const LONGEST_WAIT_MS = 25 * 3_600_000;

/** Number of parts that replicas divide among them. */
export const PARTS = 64;

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

/** Raised when programs before a change can no longer use the store after it. */
const FORMAT = 2;

const TOPIC_ID = 'bigint not null references topic (id)';

/**
 * The columns of each table beside `id`. One that a store of an earlier version lacks is added, so a new
 * one has a default. Times are milliseconds since 1970 by the database's clock.
 */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // A topic as last published. Its content is in the edition with this ETag.
  topic: {
    url: 'text not null unique',
    version: 'bigint not null default 0',
    etag: "text not null default ''",
    edition_time: 'bigint not null default 0', // Last-Modified of the edition
    published_at: 'bigint not null default 0',
  },
  // An active subscription. Content is pending for it while acknowledged is less than the topic's
  // version, and only then. There is one for each topic_id and callback.
  subscription: {
    topic_id: TOPIC_ID,
    callback: 'text not null',
    host: 'text not null',
    domain: "text not null default ''", // of the callback; see domainOf
    sealed_secret: 'text', // see Secrets
    revision: 'bigint not null default 0', // counts secrets, so that none signs for another
    expires_at: 'bigint not null', // nothing is sent from then on; the row is removed later
    acknowledged: 'bigint not null', // last version with a 2xx, or that when it was requested
    failures: 'bigint not null default 0', // consecutive ones
    released: 'bigint not null default 0', // those since the last success that did not count
    due_at: 'bigint not null default 0', // a pending version may be delivered from then on
    strike_at: 'bigint not null default 0', // a failure counts from then on
    pace: "text not null default 'unknown'", // of the host's last delivery
    answered_at: 'bigint not null default 0', // last response of the host
  },
  // A request to confirm with the subscriber, or a notice for it, in the order of the requests. There
  // is one for each topic_id, callback and mode.
  intent: {
    topic_id: TOPIC_ID,
    callback: 'text not null',
    host: 'text not null',
    mode: 'text not null',
    sealed_secret: 'text',
    lease_seconds: 'bigint not null default 0',
    version: 'bigint not null default 0', // the topic's when it was requested
    due_at: 'bigint not null default 0',
    client: "text not null default ''", // network of the requesting client
    attempts: 'bigint not null default 0', // exchanges without a response
    reason: "text not null default ''", // of a denial
  },
};

const UNIQUE: Readonly<Record<string, string>> = {
  subscription: ', constraint subscription_pair unique (topic_id, callback)',
  intent: ', constraint intent_pair unique (topic_id, callback, mode)',
};

/**
 * Creates the tables and columns that are missing: it opens the store of every released version.
 * Replicas that start together take turns.
 *
 * @throws {RefusedStoreError} if a newer version has changed the store, or a pooler hides it
 */
export async function createTables(store: HubStore): Promise<void> {
  const id = sql.raw(
    store.engine === 'sqlite'
      ? 'id integer primary key autoincrement'
      : 'id bigint generated always as identity primary key',
  );
  const parts = Array.from({ length: PARTS }, (_, part) => sql`(${sql.lit(part)}, 0)`);
  const after = [
    // Removes requests of a kind that only another version knows; their subscribers ask again.
    sql`delete from intent where mode not in ('subscribe', 'unsubscribe', 'denied')`,
    // Versions without parts cannot deliver without this table.
    sql`drop table if exists leader`,
    // Parts and their last leaders; see Parts.
    sql`create table if not exists part (id bigint primary key, leader bigint not null)`,
    sql`insert into part (id, leader) values ${sql.join(parts)} on conflict (id) do nothing`,
    sql`create index if not exists subscription_owed on subscription (topic_id, acknowledged, id)`,
    sql`create index if not exists subscription_lease on subscription (expires_at)`,
    sql`create index if not exists subscription_host on subscription (host)`,
    sql`create index if not exists subscription_domain on subscription (domain)`,
    sql`create index if not exists intent_client on intent (client, mode)`,
  ];
  await store.check();
  await store.transaction(async (trx) => {
    await store.advisoryLock(trx, 'the tables of the hub');
    await checkFormat(trx);
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const own = Object.entries(columns).map(([name, type]) => sql.raw(`, ${name} ${type}`));
      await sql`create table if not exists ${sql.table(table)} (${id}${sql.join(own, sql``)}
        ${sql.raw(UNIQUE[table] ?? '')})`.execute(trx);
      const known = await store.columnsOf(trx, table);
      for (const [name, type] of Object.entries(columns)) {
        if (known.has(name)) continue;
        await sql.raw(`alter table ${table} add column ${name} ${type}`).execute(trx);
      }
    }
    for (const statement of after) await statement.execute(trx);
  });
}

async function checkFormat(trx: Trx): Promise<void> {
  await sql`create table if not exists hub_format (format bigint primary key)`.execute(trx);
  await sql`insert into hub_format (format) values (${FORMAT}) on conflict (format) do nothing`.execute(
    trx,
  );
  const [row] = await rows<{ newest: number }>(
    trx,
    sql`select max(format) as newest from hub_format`,
  );
  if (row!.newest <= FORMAT) return;
  throw new RefusedStoreError(
    `a newer version of this program has changed the store of the hub (format ${row!.newest}, this ` +
      `version knows ${FORMAT}): run that version, or restore the backup from before the upgrade`,
  );
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

/** A part that does not exist, because a list in SQL must not be empty. */
export const NONE = -1;

/** Returns the part of a callback's host. SQLite has one process, so one part is enough. */
export function partOf(store: HubStore, host: string): RawBuilder<number> {
  if (store.engine === 'sqlite') return sql.lit(0);
  return sql`(hashtext(${sql.ref(host)}) & ${sql.lit(PARTS - 1)})::bigint`;
}

/** Holds for a row whose host is in one of the parts. */
export function isIn(store: HubStore, parts: ReadonlySet<number>): RawBuilder<unknown> {
  if (parts.size === PARTS) return sql`1 = 1`;
  return sql`${partOf(store, 'host')} in (${sql.join([NONE, ...parts])})`;
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
