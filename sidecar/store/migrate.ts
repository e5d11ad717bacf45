import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** A database, or a transaction if the engine can create tables in one. */
interface Migrated<Tables> {
  db: Kysely<Tables>;
}

/**
 * Updates the tables. Replicas that start together take turns.
 *
 * @param migrations in the order of their names; each may run again after a crash
 */
export async function migrate<Tables>(
  { db }: Migrated<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const { error } = await migrator(db, migrations).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Tells if the tables are up to date with these migrations. Changes nothing. */
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
