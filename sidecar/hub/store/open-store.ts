import { join } from 'node:path';
import type { Logger } from '../../base/log.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { HubStore } from './tables.ts';

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
