import { columnsOf, isBlank, type Row } from './rows.ts';

/** The parts of a review that a format or `--map` finds in a row. */
export const FIELDS = [
  'id',
  'author',
  'rating',
  'recommended',
  'date',
  'title',
  'text',
  'language',
  'url',
  'source',
  'reply',
  'reply_date',
  'updated',
  'media',
  'keep',
] as const;
export type Field = (typeof FIELDS)[number];

/**
 * Names, for each field, the columns or dotted paths to read (`reviewer.displayName`). Of several
 * the first that has something is read; `a+b` joins two columns into paragraphs.
 */
export type FieldMap = Partial<Record<Field, readonly string[]>>;

/** Returns the columns of paths, each of which may join several. */
export function columnsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) => path.split('+'));
}

/** Returns all columns of a map. */
export function columnsOfMap(fields: FieldMap): string[] {
  return columnsIn(Object.values(fields).flat());
}

/** Tells whether some row has a value in one of the columns of paths. */
export function haveValues(rows: readonly Row[], paths: readonly string[] = []): boolean {
  const columns = columnsIn(paths);
  return rows.some((row) => columns.some((column) => !isBlank(row[column])));
}

const NEXT_FIELD = new RegExp(String.raw`,\s*(?=(?:${FIELDS.join('|')})\s*=)`);

/**
 * Reads `text=Review,rating=Stars|Score`. A name may have a comma.
 *
 * @throws in one line that names the fields there are
 */
export function parseMap(map: string): FieldMap {
  const fields: FieldMap = {};
  for (const pair of map.split(NEXT_FIELD)) {
    const [field = '', columns] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (!FIELDS.includes(field as Field) || !columns) {
      throw new Error(
        `--map ${pair}: must be FIELD=COLUMN, and the fields are ${FIELDS.join(', ')}`,
      );
    }
    fields[field as Field] = columns.split('|').map((column) => column.trim());
  }
  return fields;
}

/** The inverse of {@link parseMap}. */
export function formatMap(fields: FieldMap): string {
  return FIELDS.flatMap((field) => {
    const columns = fields[field];
    return columns ? [`${field}=${columns.join('|')}`] : [];
  }).join(',');
}

/**
 * Returns a function that writes a name as the columns do: spreadsheets and scripts change the case. A
 * path with `*` is every column that it can be.
 */
export function headerNames(rows: readonly Row[]): (path: string) => string[] {
  const all = columnsOf(rows);
  const columns = new Map(all.map((column) => [column.toLowerCase(), column]));
  const exact = new Set(all);
  const named = (name: string) =>
    exact.has(name) ? name : (columns.get(name.trim().toLowerCase()) ?? name);
  return (path) => {
    if (!path.includes('*')) return [path.split('+').map(named).join('+')];
    const [before, after] = path.toLowerCase().split('*') as [string, string];
    return all.filter((column) => {
      const name = column.toLowerCase();
      const key = name.slice(before.length, name.length - after.length);
      const isInside = name.startsWith(before) && name.endsWith(after);
      return isInside && key !== '' && !key.includes('.');
    });
  };
}
