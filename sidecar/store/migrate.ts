import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Store } from './store.ts';

/**
 * Brings the tables up to date. Replicas that start together take turns.
 *
 * @param migrations in the order of their names; each may be run again after a crash
 */
export async function migrate<Tables>(
  { db }: Store<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({
    db: db as Kysely<unknown>,
    provider: { getMigrations: async () => migrations },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
