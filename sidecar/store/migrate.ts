import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** A database, or a transaction in one where tables can be made in a transaction. */
interface Migrated<Tables> {
  db: Kysely<Tables>;
}

/**
 * Brings the tables up to date. Replicas that start together take turns.
 *
 * @param migrations in the order of their names; each may be run again after a crash
 */
export async function migrate<Tables>(
  { db }: Migrated<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const { error } = await migrator(db, migrations).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Whether the tables are what these migrations make. Changes nothing. */
export async function isMigrated<Tables>(
  { db }: Migrated<Tables>,
  migrations: Record<string, Migration>,
): Promise<boolean> {
  const known = await migrator(db, migrations).getMigrations();
  return known.every(({ executedAt }) => executedAt !== undefined);
}

function migrator<Tables>(db: Kysely<Tables>, migrations: Record<string, Migration>): Migrator {
  return new Migrator({
    db: db as Kysely<unknown>,
    provider: { getMigrations: async () => migrations },
  });
}
