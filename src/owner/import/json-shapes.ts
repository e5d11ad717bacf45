import { isRow, isScalar, type Row } from './rows.ts';

/**
 * Returns the rows of an object that is another form of a list: objects by their ids, columns by their
 * names with the cells by number, or lists of cells beside the names of the columns.
 */
export function rowsWithin(object: Row): Row[] | undefined {
  const values = Object.values(object);
  const [first, ...others] = values;
  if (!isRow(first) || others.length === 0 || !values.every(isRow)) return rowsOfCells(values);
  const keys = Object.keys(first);
  const areAlike = values.every((value) => {
    return keys.filter((key) => Object.hasOwn(value as Row, key)).length * 2 > keys.length;
  });
  if (!areAlike || keys.length === 0) return undefined;
  if (!keys.every((key) => /^\d+$/.test(key))) return values as Row[];
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
