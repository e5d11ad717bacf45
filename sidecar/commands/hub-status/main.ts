import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { jsonLogger } from '../../base/log.ts';
import { isMigrated } from '../../store/migrate.ts';
import { migrations } from '../../hub/store/migrations.ts';
import { openHubStore, storeFile } from '../../hub/store/open-store.ts';
import { owedDeliveries, topicStatus } from '../../hub/store/status.ts';
import { runCommand } from '../run-command.ts';
import { owedTable, topicTable } from './tables.ts';

const SHOWN = 50;

// Looks at the store that the settings name, beside the sidecars that run on it, and changes nothing.
await runCommand(async (print) => {
  const { DATABASE_URL, DATA_DIR } = readConfig(process.env);
  const file = storeFile(resolve(DATA_DIR));
  if (DATABASE_URL === '' && !existsSync(file)) {
    throw new Error(`there is no ${file}: DATA_DIR or DATABASE_URL names the store`);
  }
  const logger = jsonLogger('error', (line) => process.stderr.write(line));
  const store = await openHubStore(DATABASE_URL, resolve(DATA_DIR), logger);
  try {
    if (!(await isMigrated(store, migrations(store.engine)))) {
      throw new Error(
        'the store is not of this version: a sidecar brings it up to date at its start',
      );
    }
    const topics = await topicStatus(store);
    const owed = await owedDeliveries(store, SHOWN);
    print(`${store.engine === 'sqlite' ? file : 'PostgreSQL'}\n`);
    print(topicTable(topics));
    if (owed.length === 0) return;
    const all = topics.reduce((sum, topic) => sum + topic.owed, 0);
    print(`\nowed${all > owed.length ? `, ${owed.length} of ${all}` : ''}\n`);
    print(owedTable(owed));
  } finally {
    await store.close();
  }
});
