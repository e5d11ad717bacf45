import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { HubStore } from './tables.ts';

/** Returns the migrations of the hub's tables. A released one is never changed. */
export function migrations(engine: HubStore['engine']): Record<string, Migration> {
  return {
    '0001-subscriptions': { up: (db) => createTables(db, engine) },
    '0002-publications': { up: createPublications },
    '0003-debts': { up: simplifyDebts },
  };
}

/**
 * Creates the tables. Each statement can run again, because SQLite's are not in one transaction.
 */
async function createTables(db: Kysely<unknown>, engine: HubStore['engine']): Promise<void> {
  const sqlite = engine === 'sqlite';
  const idType = sqlite ? 'integer' : 'bigint';
  const bytesType = sqlite ? sql`blob` : sql`bytea`;
  const asId = (column: ColumnDefinitionBuilder) =>
    sqlite ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity();
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
  const empty = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('');
  const ofTopic = (column: ColumnDefinitionBuilder) => column.notNull().references('topic.id');

  await db.schema
    .createTable('topic')
    .ifNotExists()
    .addColumn('id', idType, asId)
    .addColumn('url', 'text', (column) => column.notNull().unique())
    .addColumn('version', 'bigint', zero)
    .addColumn('etag', 'text', empty)
    .addColumn('type', 'text', empty)
    .addColumn('size', 'bigint', zero)
    .addColumn('edition_time', 'bigint', zero)
    .addColumn('confirmed_at', 'bigint', zero)
    .execute();
  await db.schema
    .createTable('topic_chunk')
    .ifNotExists()
    .addColumn('topic_id', 'bigint', ofTopic)
    .addColumn('etag', 'text', required)
    .addColumn('seq', 'bigint', required)
    .addColumn('bytes', bytesType, required)
    .addPrimaryKeyConstraint('topic_chunk_key', ['topic_id', 'etag', 'seq'])
    .execute();
  await db.schema
    .createTable('subscription')
    .ifNotExists()
    .addColumn('id', idType, asId)
    .addColumn('topic_id', 'bigint', ofTopic)
    .addColumn('callback', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('secret', 'text')
    .addColumn('expires_at', 'bigint', required)
    .addColumn('acknowledged', 'bigint', required)
    .addColumn('tried', 'bigint', required)
    .addColumn('failures', 'bigint', zero)
    .addColumn('due_at', 'bigint', zero)
    .addColumn('claim', 'text')
    .addUniqueConstraint('subscription_pair', ['topic_id', 'callback'])
    .execute();
  await db.schema
    .createTable('intent')
    .ifNotExists()
    .addColumn('id', idType, asId)
    .addColumn('topic_id', 'bigint', ofTopic)
    .addColumn('callback', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('mode', 'text', required)
    .addColumn('secret', 'text')
    .addColumn('lease_seconds', 'bigint', required)
    .addColumn('version', 'bigint', required)
    .addColumn('due_at', 'bigint', zero)
    .addColumn('claim', 'text')
    .addUniqueConstraint('intent_pair', ['topic_id', 'callback', 'mode'])
    .execute();

  const index = (name: string) => db.schema.createIndex(name).ifNotExists();
  await index('subscription_untried')
    .on('subscription')
    .columns(['topic_id', 'tried', 'host'])
    .execute();
  await index('subscription_retry')
    .on('subscription')
    .column('due_at')
    .where(sql<boolean>`acknowledged < tried`)
    .execute();
  await index('subscription_lease').on('subscription').column('expires_at').execute();
  await index('intent_due').on('intent').column('due_at').execute();
}

/**
 * Adds publication times; for existing versions it is the time their content was last confirmed.
 */
async function createPublications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publication')
    .ifNotExists()
    .addColumn('topic_id', 'bigint', (column) => column.notNull().references('topic.id'))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('published_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('publication_key', ['topic_id', 'version'])
    .execute();
  await sql`
    insert into publication (topic_id, version, published_at)
    select id, version, confirmed_at from topic where version > 0
    on conflict (topic_id, version) do nothing`.execute(db);
}

/**
 * Drops the stored content, which is now read from the edition. A subscription's row says since
 * when a delivery is pending, and a new version waits with the retry of the previous one, so
 * neither a table of publications nor the version last tried is needed.
 */
async function simplifyDebts(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables();
  const has = (table: string, column?: string) =>
    tables.some(
      ({ name, columns }) =>
        name === table && (column === undefined || columns.some((one) => one.name === column)),
    );
  const add = async (table: string, column: string, type: 'bigint' | 'text') => {
    if (has(table, column)) return;
    const fill = type === 'bigint' ? 0 : '';
    const required = (made: ColumnDefinitionBuilder) => made.notNull().defaultTo(fill);
    await db.schema.alterTable(table).addColumn(column, type, required).execute();
  };
  await add('topic', 'published_at', 'bigint');
  await add('subscription', 'owed_since', 'bigint');
  await add('intent', 'client', 'text');
  await add('intent', 'attempts', 'bigint');
  await add('intent', 'reason', 'text');
  if (has('publication')) {
    await sql`
      update topic set published_at = coalesce((
        select max(published_at) from publication where topic_id = topic.id
      ), confirmed_at)`.execute(db);
    await sql`
      update subscription set owed_since = coalesce((
        select min(published_at) from publication
        where publication.topic_id = subscription.topic_id
        and publication.version > subscription.acknowledged
      ), 0) where failures > 0`.execute(db);
    await db.schema.dropTable('publication').execute();
  }
  await db.schema.dropTable('topic_chunk').ifExists().execute();
  for (const index of ['subscription_untried', 'subscription_retry']) {
    await db.schema.dropIndex(index).ifExists().execute();
  }
  for (const [table, column] of [
    ['subscription', 'tried'],
    ['topic', 'type'],
    ['topic', 'size'],
  ] as const) {
    if (has(table, column)) await db.schema.alterTable(table).dropColumn(column).execute();
  }
  const index = (name: string) => db.schema.createIndex(name).ifNotExists();
  await index('subscription_fresh')
    .on('subscription')
    .columns(['topic_id', 'acknowledged', 'host', 'id'])
    .where(sql<boolean>`failures = 0`)
    .execute();
  await index('subscription_failing')
    .on('subscription')
    .column('due_at')
    .where(sql<boolean>`failures > 0`)
    .execute();
  await index('subscription_host').on('subscription').column('host').execute();
  await index('intent_client').on('intent').column('client').execute();
}
