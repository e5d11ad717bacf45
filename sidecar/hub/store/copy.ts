import { sql, type Transaction } from 'kysely';
import { isBusy } from '../../store/errors.ts';
import { migrate } from '../../store/migrate.ts';
import { migrations } from './migrations.ts';
import type { HubStore, HubTables } from './tables.ts';

export interface Copied {
  topics: number;
  subscriptions: number;
  /** Unverified requests. */
  requests: number;
}

const ROWS_AT_ONCE = 1000;

type Trx = Transaction<HubTables>;
/** Ids of topics in the target, by those in the source. */
type TopicIds = ReadonlyMap<number, number>;

/**
 * Copies a hub's SQLite store to an empty PostgreSQL database, all or nothing. The source is
 * migrated as at a start and otherwise unchanged; claims are not copied.
 *
 * @throws if the source is in use or the target is not empty
 */
export async function copyStore(source: HubStore, target: HubStore): Promise<Copied> {
  await holdAlone(source);
  await migrate(source, migrations(source.engine));
  return target.transaction(async (trx) => {
    await refuseUnlessEmpty(trx);
    await migrate<HubTables>({ db: trx }, migrations(target.engine));
    const ids = await copyTopics(source, trx);
    return {
      topics: ids.size,
      subscriptions: await copyRows('subscription', source, trx, ids),
      requests: await copyRows('intent', source, trx, ids),
    };
  });
}

/**
 * Locks the file for the lifetime of the connection, because a running sidecar would accept
 * subscriptions that are not copied (https://www.sqlite.org/pragma.html, locking_mode).
 */
async function holdAlone({ db }: HubStore): Promise<void> {
  await sql`pragma locking_mode = exclusive`.execute(db);
  try {
    await db.transaction().execute(async () => {});
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new Error('the file is in use: stop the sidecar first', { cause: error });
  }
}

async function refuseUnlessEmpty(trx: Trx): Promise<void> {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.tables
    where table_schema = current_schema() limit 1`.execute(trx);
  if (rows.length === 0) return;
  throw new Error('the database is not empty: copy into a new one, before a sidecar runs on it');
}

async function copyTopics(source: HubStore, trx: Trx): Promise<TopicIds> {
  const ids = new Map<number, number>();
  for (const { id, ...topic } of await source.db
    .selectFrom('topic')
    .selectAll()
    .orderBy('id')
    .execute()) {
    const added = await trx
      .insertInto('topic')
      .values(topic)
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(id, added.id);
  }
  return ids;
}

/** Copies rows in id order, which for intents is the order of the requests. */
function copyRows(
  table: 'subscription' | 'intent',
  source: HubStore,
  trx: Trx,
  ids: TopicIds,
): Promise<number> {
  return inBatches(
    (after) =>
      source.db
        .selectFrom(table)
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    (rows) => {
      const values = rows.map((row) => released(row, ids));
      return trx.insertInto(table).values(values).execute();
    },
  );
}

/** Returns a row with another topic id and without its claim, whose holder is gone. */
function released<
  Row extends { id: number; topic_id: number; claim: string | null; due_at: number },
>(row: Row, ids: TopicIds) {
  const { id: _, ...rest } = row;
  const due_at = row.claim === null ? row.due_at : 0;
  return { ...rest, topic_id: ids.get(row.topic_id)!, claim: null, due_at };
}

/** @returns the number of rows */
async function inBatches<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
  write: (rows: Row[]) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    const rows = await read(after);
    if (rows.length === 0) return count;
    await write(rows);
    count += rows.length;
    after = rows.at(-1)!.id;
  }
}
