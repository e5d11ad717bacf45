import { isRow, isScalar, type Row } from './rows.ts';

/**
 * Returns the rows of an object that is another form of a list: objects by their ids, columns by their
 * names with the cells by number, or lists of cells beside the names of the columns.
 */
export function rowsWithin(object: Row): Row[] | undefined {
  const { cols, rows } = object;
  if (areRows(cols) && areRows(rows)) return rowsOfGoogle(cols, rows);
  const values = Object.values(object);
  const [first, ...others] = values;
  if (!isRow(first) || others.length === 0 || !values.every(isRow)) return rowsOfCells(values);
  const keys = Object.keys(first);
  const areAlike = values.every((value) => {
    return keys.filter((key) => Object.hasOwn(value as Row, key)).length * 2 > keys.length;
  });
  if (!areAlike || keys.length === 0) return undefined;
  if (!keys.every((key) => /^\d+$/.test(key))) {
    return keys.length > 1 ? (values as Row[]) : undefined;
  }
  return keys.map((key) =>
    Object.fromEntries(Object.entries(object).map(([name, cells]) => [name, (cells as Row)[key]])),
  );
}

/** Reads lists of cells by the names in another list, or in the first of them. */
export function rowsOfCells(values: readonly unknown[]): Row[] | undefined {
  const isTable = (value: unknown): value is unknown[][] =>
    Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
  const table = values.find(isTable);
  if (!table) return undefined;
  const areNames = (list: unknown): list is string[] =>
    Array.isArray(list) && list.length === table[0]!.length && list.every(isName);
  const beside = values.find(areNames);
  const names = beside ?? table[0]!;
  if (names.length < 2 || !areNames(names)) return undefined;
  return table
    .slice(beside ? 0 : 1)
    .map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
}

const areRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRow);

/** Reads a table as Google Sheets answers it: labels of columns, and lists of cells with a value in `v`. */
function rowsOfGoogle(columns: readonly Row[], rows: readonly Row[]): Row[] {
  const names = columns.map(({ label, id }) => String((label || id) as string));
  const cellsOf = ({ c: cells }: Row) => (Array.isArray(cells) ? (cells as unknown[]) : []);
  return rows.map((row) =>
    Object.fromEntries(
      cellsOf(row).map((cell, at) => [names[at], isRow(cell) ? dayOr(cell.v) : cell]),
    ),
  );
}

/** Reads `Date(2024,4,6)`, whose first month is 0. */
function dayOr(value: unknown): unknown {
  const [, year, month, day] = /^Date\((\d+),(\d+),(\d+)/.exec(String(value as string)) ?? [];
  return day === undefined ? value : `${year}-${Number(month) + 1}-${day}`;
}

const isName = (value: unknown) => typeof value === 'string' && value !== '';

/** Returns the value of an object that only says its type, as databases write numbers and dates. */
export function unwrapped(value: unknown): unknown {
  if (!isRow(value)) return value;
  const [[key = '', inner] = [], ...others] = Object.entries(value);
  if (others.length === 0 && key.startsWith('$')) return inner;
  return /^_?seconds$/.test(key) && isScalar(inner) ? inner : value;
}

/** Reads JSON that a member of JSON has as text. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*(?:\{\s*"|\[\s*[{"])/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * Returns a document of JSON:API whose objects have what they name in their relationships, which lies
 * beside them in `included`; another object as it is.
 */
export function withIncluded(document: Row): Row {
  const { data, included, ...others } = document;
  if (!areRows(data) || !areRows(included)) return document;
  const keyOf = ({ type, id }: Row) => `${type as string} ${id as string}`;
  const known = new Map(included.map((each) => [keyOf(each), each.attributes]));
  const joined = data.map(({ relationships, ...row }) => {
    const related = Object.entries(isRow(relationships) ? relationships : {}).flatMap(
      ([name, relation]) => {
        const named = isRow(relation) ? [relation.data].flat().filter(isRow) : [];
        const found = named.flatMap((each) => known.get(keyOf(each)) ?? []);
        return found.length > 0 ? [[name, found.length === 1 ? found[0] : found] as const] : [];
      },
    );
    return { ...row, ...Object.fromEntries(related) };
  });
  return { ...others, data: joined };
}
