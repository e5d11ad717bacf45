import { unpacked } from './json-documents.ts';

/** A row of an export: values by the header of a table, or by the dotted paths of a JSON object. */
export type Row = Readonly<Record<string, unknown>>;

/** The first rows, as many as these, tell the kind of a table. */
export const SAMPLE_ROWS = 200;

export interface NumberedRow {
  /** As a spreadsheet counts: the header of a table is row 1. */
  number: number;
  row: Row;
  /** The sheet that it is in, if there are several. */
  sheet?: string;
  /** The reason why it cannot be complete. */
  cut?: string;
}

export const REPLIES = /repl(?:y|ies)|response|answer/i;

/** Returns the values of an object by their dotted paths. A list is one value, and so is an object that stands for one. */
export function flatten(object: object): Row {
  const values: Record<string, unknown> = {};
  const visit = (inner: object, before: string): void => {
    for (const [key, value] of Object.entries(inner)) {
      const plain = unpacked(value);
      const whole = isJsonObject(plain) ? wholeOf(plain) : (membersIn(plain) ?? plain);
      if (isJsonObject(whole)) visit(whole, `${before}${key}.`);
      else values[before + key] = whole;
    }
  };
  visit(object, '');
  return values;
}

/** The only member of a value that a database writes with its type: `{"$date": …}`, `{"N": "5"}`. */
const TYPE = /^(?:\$.*|[BNS]|BOOL|(?:boolean|double|integer|null|string|timestamp)Value)$/;

/** Returns what an object stands for: a value with its type, the seconds of Firestore, or the parts of a day; else itself. */
function wholeOf(object: Readonly<Record<string, unknown>>): unknown {
  const [type = '', ...others] = Object.keys(object);
  if (others.length === 0 && TYPE.test(type)) {
    const inner = object[type];
    return isJsonObject(inner) ? wholeOf(inner) : inner;
  }
  const { year, month, day, seconds = object._seconds } = object;
  if (seconds !== undefined && others.every((name) => /nano/.test(name))) return seconds;
  const parts = [year, month, day].map((part) => String(part).padStart(2, '0'));
  return /^\d{4}-\d\d-\d\d$/.test(parts.join('-')) ? parts.join('-') : object;
}

/** Members of the objects of a list that are the names and the values of other columns. */
const NAMES = 'question questionGroup question_text label field key meta_key name'.split(' ');
const VALUES = 'value answer rating score meta_value'.split(' ');

/** Returns the columns that a list stands for: `[{"question": "Your name", "answer": "Ann"}]`. */
export function membersIn(list: unknown): object | undefined {
  if (!Array.isArray(list) || list.length < 2 || !list.every(isJsonObject)) return undefined;
  const name = NAMES.find((each) => list.every((item) => typeof item[each] === 'string'));
  const value = VALUES.find((each) => list.every((item) => each in item));
  // People have names, too.
  if (name === undefined || value === undefined || (name === 'name' && value !== 'value'))
    return undefined;
  return Object.fromEntries(list.map((item) => [item[name], item[value]]));
}

/** Returns the names of all columns in their order. */
export function columnsOf(rows: readonly Row[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column of Object.keys(row)) columns.add(column);
  return [...columns];
}

/**
 * Values, in lower case, by the column that has them; it is met by a row with one of them in each. The
 * empty value is that of a row without the column.
 */
export type Condition = Readonly<Record<string, ReadonlySet<string>>>;

/**
 * Conditions of rows that may be shown, that are verified, whose words are the customer's, whose author may
 * be named, who got nothing for it, and whose reply may be shown.
 */
export type States = Record<
  'shown' | 'confirmed' | 'ownWords' | 'named' | 'organic' | 'replyShown',
  Condition
>;

export function meets(row: Row, condition: Condition): boolean {
  return Object.entries(condition).every(([column, values]) => values.has(stateAt(row, column)));
}

/** Returns a value as conditions compare it. */
export function stateAt(row: Row, column: string): string {
  return String((row[column] ?? '') as string)
    .trim()
    .toLowerCase();
}

/** Returns the values of a column that are text or numbers, as text. */
export function valuesAt(rows: readonly Row[], column: string): string[] {
  return rows.flatMap((row) => {
    const value = row[column];
    return isScalar(value) && value !== '' ? [String(value).trim()] : [];
  });
}

/** Tells whether a row has nothing in a column. */
export function isBlank(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

export function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers of rows by the value of a column, in lower case; the empty one is that of rows without it. */
export type ValueCounts = ReadonlyMap<string, number>;

/** @param limit the number of different values above which counting ends */
export function countsAt(rows: readonly Row[], column: string, limit = Infinity): ValueCounts {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (counts.size > limit) break;
    const value = stateAt(row, column);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const MAX_VALUES = 12;

/** Lists values with their rows, the most frequent first: `"approved" (12 rows), "new" (1 row)`. */
export function listed(counts: ValueCounts): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted
    .slice(0, MAX_VALUES)
    .map(
      ([value, rows]) =>
        `${JSON.stringify(value.slice(0, 60))} (${rows} ${rows === 1 ? 'row' : 'rows'})`,
    );
  return (
    shown.join(', ') +
    (sorted.length > MAX_VALUES ? `, and ${sorted.length - MAX_VALUES} more` : '')
  );
}
