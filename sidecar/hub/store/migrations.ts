import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Secrets } from './secrets.ts';
import { rows, type HubStore } from './tables.ts';

type Db = Kysely<unknown>;

/**
 * Returns the migrations of the hub's tables. A released one never changes what it does. Each
 * statement can run again, because SQLite's are not in one transaction.
 */
export function migrations(
  engine: HubStore['engine'],
  secrets: Secrets,
): Record<string, Migration> {
  return {
    '0001-subscriptions': { up: (db) => createTables(db, engine) },
    '0002-publications': { up: createPublications },
    '0003-debts': { up: simplifyDebts },
    '0004-sealed-secrets': { up: (db) => sealSecrets(db, engine, secrets) },
    '0005-due': { up: indexWhatIsDue },
    '0006-networks': { up: addNetworks },
  };
}

async function run(db: Db, ...statements: RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

async function createTables(db: Db, engine: HubStore['engine']): Promise<void> {
  const id = sql.raw(
    engine === 'sqlite'
      ? 'id integer primary key autoincrement'
      : 'id bigint generated always as identity primary key',
  );
  const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
  await run(
    db,
    sql`create table if not exists topic (
      ${id}, url text not null unique, version bigint not null default 0,
      etag text not null default '', type text not null default '', size bigint not null default 0,
      edition_time bigint not null default 0, confirmed_at bigint not null default 0)`,
    sql`create table if not exists topic_chunk (
      topic_id bigint not null references topic (id), etag text not null, seq bigint not null,
      bytes ${bytes} not null, constraint topic_chunk_key primary key (topic_id, etag, seq))`,
    sql`create table if not exists subscription (
      ${id}, topic_id bigint not null references topic (id), callback text not null,
      host text not null, secret text, expires_at bigint not null, acknowledged bigint not null,
      tried bigint not null, failures bigint not null default 0, due_at bigint not null default 0,
      claim text, constraint subscription_pair unique (topic_id, callback))`,
    sql`create table if not exists intent (
      ${id}, topic_id bigint not null references topic (id), callback text not null,
      host text not null, mode text not null, secret text, lease_seconds bigint not null,
      version bigint not null, due_at bigint not null default 0, claim text,
      constraint intent_pair unique (topic_id, callback, mode))`,
    sql`create index if not exists subscription_untried on subscription (topic_id, tried, host)`,
    sql`create index if not exists subscription_retry on subscription (due_at)
      where acknowledged < tried`,
    sql`create index if not exists subscription_lease on subscription (expires_at)`,
    sql`create index if not exists intent_due on intent (due_at)`,
  );
}

/**
 * Adds publication times; for existing versions it is the time their content was last confirmed.
 */
async function createPublications(db: Db): Promise<void> {
  await run(
    db,
    sql`create table if not exists publication (
      topic_id bigint not null references topic (id), version bigint not null,
      published_at bigint not null, constraint publication_key primary key (topic_id, version))`,
    sql`insert into publication (topic_id, version, published_at)
      select id, version, confirmed_at from topic where version > 0
      on conflict (topic_id, version) do nothing`,
  );
}

/**
 * Drops the stored content, which is now read from the edition. A subscription's row says since
 * when a delivery is pending, and a new version waits with the retry of the previous one, so
 * neither a table of publications nor the version last tried is needed.
 */
async function simplifyDebts(db: Db): Promise<void> {
  await addColumn(db, 'topic', 'published_at', 'bigint not null default 0');
  await addColumn(db, 'subscription', 'owed_since', 'bigint not null default 0');
  await addColumn(db, 'subscription', 'attempts', "text not null default ''");
  await addColumn(db, 'intent', 'client', "text not null default ''");
  await addColumn(db, 'intent', 'attempts', 'bigint not null default 0');
  await addColumn(db, 'intent', 'reason', "text not null default ''");
  if (await hasTable(db, 'publication')) {
    await run(
      db,
      sql`update topic set published_at = coalesce((
        select max(published_at) from publication where topic_id = topic.id
      ), confirmed_at)`,
      sql`update subscription set owed_since = coalesce((
        select min(published_at) from publication
        where publication.topic_id = subscription.topic_id
        and publication.version > subscription.acknowledged
      ), 0) where failures > 0`,
      sql`drop table publication`,
    );
  }
  await run(
    db,
    sql`drop table if exists topic_chunk`,
    sql`drop index if exists subscription_untried`,
    sql`drop index if exists subscription_retry`,
  );
  await dropColumn(db, 'subscription', 'tried');
  await dropColumn(db, 'topic', 'type');
  await dropColumn(db, 'topic', 'size');
  await run(
    db,
    sql`create index if not exists subscription_owed on subscription (topic_id, acknowledged, id)`,
    sql`create index if not exists subscription_host on subscription (host)`,
    sql`create index if not exists intent_client on intent (client)`,
  );
}

/** Encrypts the secrets, and removes the old ones from the file. */
async function sealSecrets(db: Db, engine: HubStore['engine'], secrets: Secrets): Promise<void> {
  for (const table of ['subscription', 'intent']) {
    await addColumn(db, table, 'sealed_secret', 'text');
    if (!(await hasColumn(db, table, 'secret'))) continue;
    const plain = await rows<{ id: number; secret: string }>(
      db,
      sql`select id, secret from ${sql.table(table)} where secret is not null`,
    );
    for (const { id, secret } of plain) {
      await sql`update ${sql.table(table)} set sealed_secret = ${secrets.seal(secret)}
        where id = ${id}`.execute(db);
    }
    await dropColumn(db, table, 'secret');
  }
  if (engine === 'sqlite') await sql`vacuum`.execute(db);
}

/** Lets what is due be found in the order in which it became due. */
async function indexWhatIsDue(db: Db): Promise<void> {
  await run(
    db,
    sql`create index if not exists subscription_due
      on subscription (topic_id, acknowledged, due_at, id)`,
    sql`drop index if exists subscription_owed`,
  );
}

async function addNetworks(db: Db): Promise<void> {
  await addColumn(db, 'subscription', 'network', "text not null default ''");
  await run(db, sql`create index if not exists subscription_network on subscription (network)`);
}

async function hasTable(db: Db, table: string): Promise<boolean> {
  return (await db.introspection.getTables()).some(({ name }) => name === table);
}

async function hasColumn(db: Db, table: string, column: string): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some(
    ({ name, columns }) => name === table && columns.some((one) => one.name === column),
  );
}

async function addColumn(db: Db, table: string, column: string, type: string): Promise<void> {
  if (await hasColumn(db, table, column)) return;
  await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`.execute(
    db,
  );
}

async function dropColumn(db: Db, table: string, column: string): Promise<void> {
  if (!(await hasColumn(db, table, column))) return;
  await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db);
}
