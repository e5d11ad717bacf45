import { beginningOf } from '../../schema/invisible.ts';
import type { Candidate } from './candidate.ts';
import type { Reading } from './draft.ts';
import { columnsIn } from './field-map.ts';
import { columnsOf, isBlank, type Row } from './rows.ts';
import type { Table } from './table.ts';

/** A row that cannot be published as it is. */
export interface Rejected {
  place: string;
  row: Row;
  reason: string;
}

export interface ReadRows {
  table: Table;
  reading: Reading;
  candidates: Candidate[];
  rejected: Rejected[];
  /** The number of rows that are no reviews of this business. */
  others: number;
  /** Sentences for the owner about unusual findings. */
  notes: string[];
}

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

/** Names that documents have for the number of all reviews, and for the page after theirs. */
const TOTALS = [
  'totalReviewCount',
  'totalResults',
  'reviews_count',
  'user_ratings_total',
  'userRatingCount',
  'total',
];
const NEXT_PAGES = ['nextPageToken', 'next_page_token'];

/** Returns what is recorded and reported of the tables of a file. */
export function accountOf(reads: readonly ReadRows[]) {
  const totals = reads.flatMap(({ table: { head } }) =>
    TOTALS.map((name) => head[name])
      .filter((value) => typeof value === 'number')
      .slice(0, 1),
  );
  const rows = sumOf(reads.map(({ table }) => table.rows.length));
  const sources = reads.flatMap(({ candidates }) => candidates.map(({ record }) => record.source));
  const rejected = reads.flatMap((read) => read.rejected);
  const rowAccount: RowAccount = {
    published: 0,
    'held back': 0,
    unverified: 0,
    skipped: rejected.length,
    double: 0,
    'not of this business': sumOf(reads.map(({ others }) => others)),
  };
  return {
    format: reads.map(({ table, reading }) => `${table.kind}, ${reading.name}`).at(-1) ?? '',
    notes: [...new Set(reads.flatMap(notesOn))],
    rows,
    sources: [...new Set(sources)].sort(),
    rejected,
    skipped: rejected.length,
    ...(totals.length > 0 && { platform_total: sumOf(totals) }),
    part: reads.flatMap((read) => partOf(read, sumOf(totals), rows) ?? [])[0],
    columns: reads.flatMap(({ table, reading }) => columnAccount(table, reading)),
    rowAccount,
  };
}

function notesOn({ table, reading, notes }: ReadRows): string[] {
  const unread = table.unread.map(({ what, rows }) =>
    rows === 0 ? `not read: ${what}` : `not read: ${what}; its rows: ${rows}`,
  );
  const scales = [...reading.scales].flatMap(([platform, { best }]) => {
    const where = platform === '' ? '' : ` on ${platform}`;
    return best === 5 ? [] : [`ratings${where} are out of ${best} and became stars, rounded`];
  });
  return [...table.notes, ...unread, ...(reading.note ? [reading.note] : []), ...notes, ...scales];
}

/** Returns the reason why a file does not have all reviews of its platform, if it tells one. */
function partOf({ table, reading }: ReadRows, total: number, rows: number): string | undefined {
  const [unread] = table.unread;
  const reasons: Record<string, boolean> = {
    'such a file has only some of the reviews': reading.isPart === true,
    'it has corrected rows only': table.isCorrected,
    'it is one page of several': NEXT_PAGES.some((name) => typeof table.head[name] === 'string'),
    [`${unread?.what} was not read`]: unread !== undefined,
    [`the platform has ${total} reviews, and it has ${rows}`]: total > rows,
  };
  return Object.keys(reasons).find((reason) => reasons[reason]);
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

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
    'without a reward': reading.organic,
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
