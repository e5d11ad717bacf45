import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toRow } from '../../resources/reviews-csv.ts';
import type { Rejected } from '../import/confirm-guess.ts';
import { flattenLists } from '../import/rows.ts';
import { REASON } from '../import/tables.ts';

/**
 * Writes rows that an import skipped beside their file, to be corrected and imported again. A file
 * that is there stays, because a person may be correcting it: the next is `rejected-2.csv`.
 *
 * @returns the path of the file
 */
export function writeRejected(file: string, rejected: readonly Rejected[]): string {
  const rows = rejected.map(({ row, reason }) => ({ reason, values: flattenLists(row) }));
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const lines = rows.map(({ reason, values }) =>
    toRow([reason, ...columns.map((column) => textOf(values[column]))]),
  );
  const content = `\ufeff${toRow([REASON, ...columns])}${lines.join('')}`;
  for (let number = 1; ; number++) {
    const path = join(dirname(file), `rejected${number === 1 ? '' : `-${number}`}.csv`);
    if (!existsSync(path)) {
      // The rows have full names: only the owner may read them.
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
      return path;
    }
    if (readFileSync(path, 'utf8') === content) return path;
  }
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value as string);
}
