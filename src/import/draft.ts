import type { z } from 'zod';
import { unguardCell } from '../dataset/csv.ts';
import { withoutInvisible } from '../schema/invisible.ts';
import { language, webUrl } from '../schema/primitives.ts';
import { fromHtml, ownWords } from './platform-text.ts';
import { parseRating, parseTime, type DateOrder } from './values.ts';

/** A row of an export: columns of a CSV file by their lower-case header, or a JSON object. */
export type Row = Readonly<Record<string, unknown>>;

export interface NumberedRow {
  /** As a spreadsheet counts: the header of a CSV file is row 1. */
  number: number;
  row: Row;
}

/** The parts of a review that a format or `--map` finds in a row. */
export const FIELDS = [
  'id',
  'author',
  'rating',
  'date',
  'title',
  'text',
  'language',
  'url',
  'source',
  'reply',
  'reply_date',
  'updated',
] as const;
export type Field = (typeof FIELDS)[number];

/**
 * Names, for each field, the columns or dotted paths to read (`reviewer.displayName`). Of several
 * the first that has something is read; `a+b` joins two columns into paragraphs.
 */
export type FieldMap = Partial<Record<Field, readonly string[]>>;

/** A review as its platform tells it, in the types of this program and before any rule. */
export interface Draft {
  sourceId: string | undefined;
  /** The full name as given; undefined for an anonymous author. */
  author: string | undefined;
  rating: number;
  /** True when half stars or another scale were rounded to full stars. */
  rounded: boolean;
  date: string;
  title: string | undefined;
  text: string | undefined;
  language: string | undefined;
  sourceUrl: string | undefined;
  source: string | undefined;
  reply: { text: string; date: string } | undefined;
  /** Instant of the newest version, if the platform tells. */
  updatedAt: string | undefined;
  /** Invisible characters that were taken out. */
  stripped: number;
  /** True when a machine translation was left out. */
  translated: boolean;
}

interface ReadingRules {
  fields: FieldMap;
  /** The best rating there is; 5 for stars. */
  scale: number;
  dateOrder: DateOrder | undefined;
  /** True when texts are escaped as in a page. */
  isHtml?: boolean | undefined;
  /** True when texts that look like formulas are guarded as in reviews.csv. */
  isGuarded?: boolean | undefined;
  /** True for what this program published: a title that repeats its text was written so. */
  isOwn?: boolean | undefined;
}

/** Reads one row. @returns the draft, or the reason why the row is no review */
export function readDraft(row: Row, rules: ReadingRules): Draft | { reason: string } {
  const { fields } = rules;
  const ratingValue = valueOf(row, fields.rating);
  const rating = parseRating(ratingValue, rules.scale);
  if (rating === undefined) return { reason: describe('rating', ratingValue) };
  const dateValue = valueOf(row, fields.date);
  const written = parseTime(dateValue, rules.dateOrder);
  if (written === undefined) return { reason: describe('date', dateValue) };

  let stripped = 0;
  let translated = false;
  const words = (field: Field): string | undefined => {
    const value = valueOf(row, fields[field]);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const unguarded = rules.isGuarded ? unguardCell(String(value)) : String(value);
    const given = unguarded.toWellFormed().replaceAll(/\r\n?/g, '\n');
    const own = ownWords(rules.isHtml ? fromHtml(given) : given);
    translated ||= own.translated;
    const { text, removed } = withoutInvisible(own.text);
    stripped += removed;
    return text.trim() || undefined;
  };
  const text = words('text');
  const title = words('title');
  const replyText = words('reply');
  const replied = parseTime(valueOf(row, fields.reply_date), rules.dateOrder);
  const updated = parseTime(valueOf(row, fields.updated), rules.dateOrder);
  return {
    // The API's resource name differs by account; its last part is the id of the review.
    sourceId: words('id')?.replace(/^accounts\/.*\//, ''),
    author: words('author')?.replaceAll(/\s+/g, ' '),
    rating: Math.min(5, Math.max(1, Math.floor(rating + 0.5))),
    rounded: !Number.isInteger(rating),
    date: written.day,
    title: title !== undefined && !rules.isOwn && repeats(title, text) ? undefined : title,
    text,
    language: languageTag(words('language')),
    sourceUrl: ifValid(webUrl, words('url')),
    source: words('source'),
    reply:
      replyText === undefined
        ? undefined
        : { text: replyText, date: (replied ?? updated ?? written).day },
    updatedAt: latest(updated?.instant, replyText === undefined ? undefined : replied?.instant),
    stripped,
    translated,
  };
}

/** Reads a name of a column or a dotted path; a column whose name has dots is found too. */
export function valueAt(row: Row, path: string): unknown {
  if (path in row) return row[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Row)[key] : undefined,
      row,
    );
}

function valueOf(row: Row, paths: readonly string[] = []): unknown {
  for (const path of paths) {
    const value = path.includes('+') ? joined(row, path.split('+')) : valueAt(row, path);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Joins columns, without the fillers some sites write into empty ones ("No Negative"). */
function joined(row: Row, columns: readonly string[]): string {
  return columns
    .map((column) => ({ column, value: String(valueAt(row, column) ?? '').trim() }))
    .filter(({ column, value }) => value.toLowerCase() !== `no ${column.toLowerCase()}`)
    .map(({ value }) => value)
    .filter((value) => value !== '')
    .join('\n\n');
}

/** Trustpilot and others make a title of the first words of a text that has none. */
function repeats(title: string, text: string | undefined): boolean {
  const start = title.replace(/(?:…|\.\.\.)$/, '').trimEnd();
  return text?.replaceAll(/\s+/g, ' ').startsWith(start.replaceAll(/\s+/g, ' ')) ?? false;
}

/** Reads `en_US` and `EN` too; returns nothing for an undetermined language. */
function languageTag(value: string | undefined): string | undefined {
  const tag = value?.replaceAll('_', '-').replace(/^[A-Z]+/, (letters) => letters.toLowerCase());
  return tag === 'und' ? undefined : ifValid(language, tag);
}

/** Leaves out what could not be published: a review without its link is better than none. */
function ifValid(schema: z.ZodType, value: string | undefined): string | undefined {
  return schema.safeParse(value).success ? value : undefined;
}

function latest(...instants: (string | undefined)[]): string | undefined {
  return instants
    .filter((instant) => instant !== undefined)
    .sort()
    .at(-1);
}

function describe(field: 'rating' | 'date', value: unknown): string {
  if (value === undefined) return `has no ${field}`;
  const text = typeof value === 'object' ? 'an object' : JSON.stringify(String(value).slice(0, 40));
  if (field === 'rating' && Number(value) > 5) {
    return `its rating ${text} is above 5: say --scale 10 or --scale 100`;
  }
  return field === 'date' && /^\d{1,2}\/\d{1,2}\/\d{4}/.test(String(value))
    ? `its date ${text} may be two days: say --dates dmy or --dates mdy`
    : `its ${field} ${text} is not a ${field}`;
}
