import { FIELDS, valueAt, type Field, type FieldMap, type Row } from './draft.ts';
import { orderOf, parseRating, parseTime } from './values.ts';

/** Column names that people and tools give the fields, most telling first. */
const NAMES: Record<Field, RegExp[]> = {
  id: [/^review[ _-]?id$/i, /^id$/i, /^uuid$/i],
  rating: [/^(star[ _-]?)?ratings?$/i, /^stars?$/i, /^(overall[ _-]?)?score$/i, /rating|stars/i],
  date: [
    /^(review|published|created|submitted)[ _-]?(date|at|on|time)$/i,
    /^date$/i,
    /^(published|created|timestamp|time)$/i,
    /date|created|published/i,
  ],
  author: [
    /^(author|review(er)?|customer|user|display)[ _.-]?(user)?name$/i,
    /^(author|reviewer|customer|user|name)$/i,
    /^(reviewer|user)\.(display)?name$/i,
  ],
  title: [/^(review[ _-]?)?(title|headline|subject|summary)$/i],
  text: [
    /^(review[ _-]?)?(text|body|content|comment|message)s?$/i,
    /^reviews?$/i,
    /^(description|feedback)$/i,
  ],
  language: [/^(review[ _-]?)?(lang|language|locale)$/i],
  url: [/^(review[ _-]?)?(url|link|permalink)$/i],
  source: [],
  reply: [
    /^(owner|company|business|management)[ _-]?(reply|response|answer)$/i,
    /^(reply|response)$/i,
  ],
  reply_date: [/^(owner|company|business|management)?[ _-]?(reply|response)[ _-]?(date|at)$/i],
  updated: [/^(updated|modified|edited)[ _-]?(date|at|on)?$/i],
};

/** Columns of platforms that ask for both, and have no other text. */
const PRAISE = /^(positives?|pros|liked?|praise)([ _-]?(review|text|comments?))?$/i;
const BLAME = /^(negatives?|cons|disliked?|criticism)([ _-]?(review|text|comments?))?$/i;

/**
 * Guesses from the first rows which column is which field: the names must be usual ones, and most
 * ratings and dates must be readable.
 */
export function guessFields(rows: readonly Row[]): { fields: FieldMap; scale: number } {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = (column: string) => valuesAt(rows, column);
  const fits: Partial<Record<Field, (column: string) => boolean>> = {
    rating: (column) => mostly(values(column), (value) => parseRating(value, 100) !== undefined),
    date: (column) =>
      mostly(
        values(column),
        (value) => parseTime(value, orderOf(values(column)) ?? 'mdy') !== undefined,
      ),
  };
  const fields: FieldMap = {};
  const taken = new Set<string>();
  for (const field of FIELDS) {
    const column = NAMES[field]
      .values()
      .flatMap((name) => columns.filter((column) => name.test(column)))
      .find((column) => !taken.has(column) && (fits[field]?.(column) ?? true));
    if (column === undefined) continue;
    taken.add(column);
    fields[field] = [column];
  }
  const praise = columns.find((column) => PRAISE.test(column));
  const blame = columns.find((column) => BLAME.test(column));
  if (praise !== undefined && blame !== undefined) fields.text ??= [`${praise}+${blame}`];
  const ratings = fields.rating ? values(fields.rating[0]!).map(Number) : [];
  const best = Math.max(0, ...ratings.filter(Number.isFinite));
  return { fields, scale: [5, 10, 100].find((scale) => best <= scale) ?? 5 };
}

/** Returns the values of a column, as text. */
export function valuesAt(rows: readonly Row[], column: string): string[] {
  return rows
    .map((row) => valueAt(row, column))
    .filter(isScalar)
    .map(String)
    .filter((value) => value !== '');
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function mostly(values: readonly string[], holds: (value: string) => boolean): boolean {
  return values.length > 0 && values.filter(holds).length >= values.length * 0.8;
}

/** Reads `text=Review,rating=Stars`. @throws in one line that names the fields there are */
export function parseMap(map: string): FieldMap {
  const fields: FieldMap = {};
  for (const pair of map.split(',')) {
    const [field = '', column] = pair.split(/=(.*)/s).map((part) => part.trim());
    if (!FIELDS.includes(field as Field) || !column) {
      throw new Error(
        `--map ${pair}: must be FIELD=COLUMN, and the fields are ${FIELDS.join(', ')}`,
      );
    }
    fields[field as Field] = [column];
  }
  return fields;
}

/** The inverse of {@link parseMap}. */
export function formatMap(fields: FieldMap): string {
  return FIELDS.flatMap((field) => (fields[field] ? [`${field}=${fields[field][0]}`] : [])).join(
    ',',
  );
}
