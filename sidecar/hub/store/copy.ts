import { sql, type Transaction } from 'kysely';
import { isBusy } from '../../store/errors.ts';
import { migrate } from '../../store/migrate.ts';
import { Deliveries } from './deliveries.ts';
import { migrations } from './migrations.ts';
import type { Secrets } from './secrets.ts';
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
 * migrated as at a start and otherwise unchanged; claims are not copied, and secrets stay encrypted
 * with the same key.
 *
 * @throws if the source is in use or the target is not empty
 */
export async function copyStore(
  source: HubStore,
  target: HubStore,
  secrets: Secrets,
): Promise<Copied> {
  await holdAlone(source);
  await migrate(source, migrations(source.engine, secrets));
  await new Deliveries(source, secrets).checkKey();
  return target.transaction(async (trx) => {
    await refuseUnlessEmpty(trx);
    await migrate<HubTables>({ db: trx }, migrations(target.engine, secrets));
    const ids = new Map<number, number>();
    for (const topic of await source.db.selectFrom('topic').selectAll().orderBy('id').execute()) {
      const { id, ...values } = topic;
      const added = trx.insertInto('topic').values(values).returning('id');
      ids.set(id, (await added.executeTakeFirstOrThrow()).id);
    }
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
  const { rows } = await sql`select table_name from information_schema.tables
    where table_schema = current_schema() limit 1`.execute(trx);
  if (rows.length === 0) return;
  throw new Error('the database is not empty: copy into a new one, before a sidecar runs on it');
}

/** Copies rows in id order, which for intents is the order of the requests. @returns their number */
async function copyRows(
  table: 'subscription' | 'intent',
  { db }: HubStore,
  trx: Trx,
  ids: TopicIds,
): Promise<number> {
  const page = db.selectFrom(table).selectAll().orderBy('id').limit(ROWS_AT_ONCE);
  let count = 0;
  for (let after = 0; ;) {
    const found = await page.where('id', '>', after).execute();
    if (found.length === 0) return count;
    count += found.length;
    after = found.at(-1)!.id;
    const values = found.map((row) => ({
      ...row,
      id: undefined, // the target's own
      topic_id: ids.get(row.topic_id)!,
      claim: null, // its holder is gone
      due_at: row.claim === null ? row.due_at : 0,
    }));
    await trx.insertInto(table).values(values).execute();
  }
}
