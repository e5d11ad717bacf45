import { join } from 'node:path';
import type { Logger } from '../../base/log.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { HubStore } from './tables.ts';

/** Where the hub keeps its state when no database is named. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'hub.sqlite');
}

/** The store that the settings name. PostgreSQL's client is loaded only where it is used. */
export async function openHubStore(
  databaseUrl: string,
  dataDir: string,
  logger: Logger,
): Promise<HubStore> {
  if (databaseUrl === '') return openSqlite(storeFile(dataDir));
  const { openPostgres } = await import('../../store/postgres.ts');
  return openPostgres(databaseUrl, logger);
}
