import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from '../../src/run-command.ts';
import { jsonLogger } from '../base/log.ts';
import { readConfig } from '../base/config.ts';
import { createTables, openHubStore, STORE_FILE } from '../hub/store/tables.ts';
import { topicStatus, type TopicStatus } from '../hub/store/topics.ts';

/** Prints the state of the store that the settings name; safe while sidecars run on it. */
export const hubStatus: Command = async (_, print) => {
  const { DATABASE_URL, DATA_DIR } = readConfig(process.env);
  const file = resolve(DATA_DIR, STORE_FILE);
  if (DATABASE_URL === '' && !existsSync(file)) {
    throw new Error(`no store at ${file}: set DATA_DIR or DATABASE_URL`);
  }
  const logger = jsonLogger('error', (line) => process.stderr.write(line));
  const store = await openHubStore(DATABASE_URL, resolve(DATA_DIR), logger);
  try {
    await createTables(store);
    print(`${store.engine === 'sqlite' ? file : 'PostgreSQL'}\n`);
    print(topicTable(await topicStatus(store)));
  } finally {
    await store.close();
  }
};

/** Formats one line for each topic. */
function topicTable(topics: readonly TopicStatus[]): string {
  return table(
    ['topic', 'version', 'subscriptions', 'pending', 'owed', 'for'],
    topics.map(({ url, version, subscriptions, pending, owed, owedMs }) => [
      url,
      String(version),
      String(subscriptions),
      String(pending),
      String(owed),
      owed === 0 ? '-' : duration(owedMs),
    ]),
  );
}

/** Aligns the columns, two spaces between them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** Formats in the largest unit of which there are at least two: `90 s`, `10 min`, `36 h`, `9 d`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}
