import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError, type Command } from '../../src/run-command.ts';
import { jsonLogger } from '../base/log.ts';
import { SECRET_FILES, secretFile } from '../base/secret.ts';
import { readConfig } from '../base/config.ts';
import { copyStore } from '../hub/store/copy.ts';
import { Secrets } from '../hub/store/secrets.ts';
import type { HubTables } from '../hub/store/tables.ts';
import { openPostgres } from '../store/postgres.ts';
import { openSqlite } from '../store/sqlite.ts';

const USAGE = 'usage: npm run hub:copy -- <SQLite file> <postgres:// address of an empty database>';

/** Moves a hub from one machine to several: copies DATA_DIR/hub.sqlite into PostgreSQL. */
export const hubCopy: Command = async ([file, url], print) => {
  if (!file || !url || !/^postgres(ql)?:/.test(url)) throw new UsageError(USAGE);
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  const logger = jsonLogger('error', (line) => process.stderr.write(line));
  const keyFile = join(dirname(file), SECRET_FILES.HUB_KEY);
  const given = readConfig(process.env).HUB_KEY;
  const key = given || (await secretFile(keyFile));
  const source = openSqlite<HubTables>(file);
  const target = openPostgres<HubTables>(url, logger);
  try {
    const { topics, subscriptions, requests } = await copyStore(source, target, new Secrets(key));
    print(`copied ${topics} topics, ${subscriptions} subscriptions, ${requests} pending requests`);
    if (given === '') print(`Set HUB_KEY of the replicas to the content of ${keyFile}`);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
};
