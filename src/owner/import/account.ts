import { beginningOf } from '../../schema/invisible.ts';
import type { Reading } from './draft.ts';
import { columnsIn } from './field-map.ts';
import { columnsOf, isBlank, type Row } from './rows.ts';
import type { Table } from './table.ts';

/** Numbers of the rows of a file by what became of them. */
export interface RowAccount {
  published: number;
  'held back': number;
  unverified: number;
  skipped: number;
  /** Rows of a review that another row has, too. */
  double: number;
  /** Rows of another place, and rows that are not reviews of the business. */
  'not of this business': number;
}

const SHOWN_VALUES = 2;
const SHOWN_CHARACTERS = 30;

/** Returns lines that name the use of each column, and those that are not read, with two of their values. */
export function columnAccount({ rows: numbered }: Pick<Table, 'rows'>, reading: Reading): string[] {
  const rows = numbered.map(({ row }) => row);
  const uses = new Map<string, string>();
  for (const [field, paths] of Object.entries(reading.fields)) {
    for (const path of columnsIn(paths)) uses.set(path, field);
  }
  const conditions = {
    'this business': reading.ours,
    shown: reading.shown,
    verified: reading.confirmed,
    'reply shown': reading.replyShown,
    'own words': reading.ownWords,
    'author named': reading.named,
  };
  for (const [what, condition] of Object.entries(conditions)) {
    for (const [column, values] of Object.entries(condition)) {
      const named = [...values].filter((value) => value !== '').join(' or ');
      uses.set(column, `${what} if ${named || 'empty'}`);
    }
  }
  for (const column of Object.keys(reading.origins ?? {})) uses.set(column, 'origin');
  if (reading.best !== undefined) uses.set(reading.best, 'best rating');
  const columns = columnsOf(rows);
  const read = columns.filter((column) => uses.has(column));
  const unread = columns
    .filter((column) => !uses.has(column))
    .map((column) => {
      const values = firstValues(rows, column);
      const shown = [...values].map((value) =>
        JSON.stringify(beginningOf(value, SHOWN_CHARACTERS)),
      );
      return `${column} (${shown.join(', ') || 'empty'})`;
    });
  return [
    `columns: ${read.map((column) => `${column} → ${uses.get(column)}`).join(', ')}`,
    ...(unread.length > 0 ? [`not read: ${unread.join('; ')}`] : []),
  ];
}

function firstValues(rows: readonly Row[], column: string): Set<string> {
  const found = new Set<string>();
  for (const row of rows) {
    const value = row[column];
    if (!isBlank(value))
      found.add(typeof value === 'object' ? JSON.stringify(value) : String(value).trim());
    if (found.size === SHOWN_VALUES) break;
  }
  return found;
}

/** Words the account of the rows: `12 rows → 9 published, 2 held back, 1 skipped`. */
export function rowAccount(rows: number, account: RowAccount): string {
  const parts = Object.entries(account).filter(([, count]) => count > 0);
  return `${rows} rows → ${parts.map(([fate, count]) => `${count} ${fate}`).join(', ')}`;
}
