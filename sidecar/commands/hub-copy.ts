import { existsSync } from 'node:fs';
import { UsageError, type Command } from '../../src/run-command.ts';
import { jsonLogger } from '../base/log.ts';
import { copyStore } from '../hub/store/copy.ts';
import type { HubTables } from '../hub/store/tables.ts';
import { openPostgres } from '../store/postgres.ts';
import { openSqlite } from '../store/sqlite.ts';

const USAGE = 'usage: npm run hub:copy -- <SQLite file> <postgres:// address of an empty database>';

/** Moves a hub from one machine to several: copies DATA_DIR/hub.sqlite into PostgreSQL. */
export const hubCopy: Command = async ([file, url], print) => {
  if (!file || !url || !/^postgres(ql)?:/.test(url)) throw new UsageError(USAGE);
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  const logger = jsonLogger('error', (line) => process.stderr.write(line));
  const source = openSqlite<HubTables>(file);
  const target = openPostgres<HubTables>(url, logger);
  try {
    const { topics, subscriptions, requests } = await copyStore(source, target);
    print(`copied ${topics} topics, ${subscriptions} subscriptions, ${requests} pending requests`);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
};
