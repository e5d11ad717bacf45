/** A row of an export: columns of a table by their header, or a JSON object. */
export type Row = Readonly<Record<string, unknown>>;

/** So many first rows tell what kind of table it is. */
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

/**
 * Reads a name of a column or a dotted path, in which `*` is the first member that there is. A
 * column whose name has dots is found too.
 */
export function valueAt(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = key === '*' ? Object.keys(value)[0] : key;
    value = name !== undefined && Object.hasOwn(value, name) ? (value as Row)[name] : undefined;
  }
  return value;
}

export const REPLIES = /repl(?:y|ies)|response|answer/i;

/**
 * Returns the values of a row that are no objects, by their dotted paths. Of a list of replies the
 * first counts; other lists are one value.
 *
 * @param isInner tells whether a value is a row of its own
 */
export function flatten(row: Row, isInner: (value: unknown) => boolean = isRow) {
  const leaves: Record<string, unknown> = {};
  const visit = (object: object, path: string): void => {
    for (const [key, value] of Object.entries(object)) {
      const inner = path === '' ? key : `${path}.${key}`;
      const [first] = Array.isArray(value) && REPLIES.test(key) ? (value as unknown[]) : [];
      if (isInner(value)) visit(value as object, inner);
      else if (isRow(first)) visit(first, `${inner}.0`);
      else leaves[inner] = value;
    }
  };
  visit(row, '');
  return leaves;
}

/** Returns the names of all columns, or the paths that {@link flatten} gives, in their order. */
export function columnsOf(rows: readonly Row[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    const isFlat = Object.values(row).every((value) => typeof value !== 'object');
    for (const column of Object.keys(isFlat ? row : flatten(row))) columns.add(column);
  }
  return [...columns];
}

/**
 * Values, in lower case, by the column that has them; it is met by a row with one of them in each. The
 * empty value is that of a row without the column.
 */
export type Condition = Readonly<Record<string, ReadonlySet<string>>>;

/**
 * Conditions of rows that may be shown, that are verified, whose words are the customer's, whose author may
 * be named, and whose reply may be shown.
 */
export type States = Record<'shown' | 'confirmed' | 'ownWords' | 'named' | 'replyShown', Condition>;

export function meets(row: Row, condition: Condition): boolean {
  return Object.entries(condition).every(([column, values]) => values.has(stateAt(row, column)));
}

/** Returns a value as conditions compare it. */
export function stateAt(row: Row, column: string): string {
  return String(valueAt(row, column) ?? '')
    .trim()
    .toLowerCase();
}

/** Returns the values of a column that are text or numbers, as text. */
export function valuesAt(rows: readonly Row[], column: string): string[] {
  return rows.flatMap((row) => {
    const value = valueAt(row, column);
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

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers of rows by the value of a column, in lower case; the empty one is that of rows without it. */
export type ValueCounts = ReadonlyMap<string, number>;

/** @param most the number of different values above which counting ends */
export function countsAt(rows: readonly Row[], column: string, most = Infinity): ValueCounts {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (counts.size > most) break;
    const value = stateAt(row, column);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const MOST_VALUES = 12;

/** Lists values with their rows, the most frequent first: `"approved" (12 rows), "new" (1 row)`. */
export function listed(counts: ValueCounts): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted
    .slice(0, MOST_VALUES)
    .map(
      ([value, rows]) =>
        `${JSON.stringify(value.slice(0, 60))} (${rows} ${rows === 1 ? 'row' : 'rows'})`,
    );
  return (
    shown.join(', ') +
    (sorted.length > MOST_VALUES ? `, and ${sorted.length - MOST_VALUES} more` : '')
  );
}
