import { withoutInvisible } from '../schema/invisible.ts';
import { ownWords } from './own-words.ts';

/** A row of an export: columns of a CSV file by their lower-case header, or a JSON object. */
export type Row = Readonly<Record<string, unknown>>;

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

/** The order of day and month in dates such as 03/04/2025. */
export type DateOrder = 'dmy' | 'mdy';

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

export interface ReadingRules {
  fields: FieldMap;
  /** The best rating there is; 5 for stars. */
  scale: number;
  dateOrder: DateOrder | undefined;
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
    const own = ownWords(String(value).toWellFormed().replaceAll(/\r\n?/g, '\n'));
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
    title: title !== undefined && repeats(title, text) ? undefined : title,
    text,
    language: words('language'),
    sourceUrl: words('url'),
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

const STAR_WORDS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
/** Facebook has no stars: a recommendation is read as 5, advice against as 1. */
const RECOMMENDATIONS: Record<string, number> = { positive: 5, negative: 1, true: 5, false: 1 };

/**
 * Reads stars, from 1 to 5 and not yet rounded: numbers, "4 out of 5", "4,5", ★★★★☆, FIVE, or a
 * recommendation. Numbers of another scale are divided by it.
 */
export function parseRating(value: unknown, scale: number): number | undefined {
  const text = String(value ?? '').trim();
  if (text.toLowerCase() in RECOMMENDATIONS) return RECOMMENDATIONS[text.toLowerCase()];
  const word = STAR_WORDS.indexOf(text.toUpperCase());
  if (word !== -1) return word + 1;
  if (/^★{1,5}☆{0,4}$/.test(text)) return text.lastIndexOf('★') + 1;
  const number = /^(\d+(?:[.,]\d+)?)(?:\s*(?:\/|of|out of)\s*(\d+))?(?:\s*stars?)?$/i.exec(text);
  if (!number) return undefined;
  const best = number[2] === undefined ? scale : Number(number[2]);
  const stars = (Number(number[1]!.replace(',', '.')) * 5) / best;
  return stars > 0 && stars <= 5 ? stars : undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export interface Time {
  /** The calendar day in UTC. */
  day: string;
  /** Undefined when only the day is known. */
  instant: string | undefined;
}

/**
 * Reads a date or a time in the notations of exports: ISO 8601, seconds or milliseconds since 1970,
 * "Apr 3, 2024", "3 April 2024", and days of numbers if their order is known.
 */
export function parseTime(value: unknown, order?: DateOrder): Time | undefined {
  const text = String(value ?? '').trim();
  const iso =
    /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?(?:\s*\(?UTC\)?)?$/.exec(
      text,
    );
  if (iso) {
    const [, year, month, day, clock, zone = 'Z'] = iso;
    if (clock === undefined) return onDay(Number(year), Number(month), Number(day));
    const seconds = clock.length === 5 ? `${clock}:00` : clock;
    const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
    return fromMilliseconds(Date.parse(`${year}-${month}-${day}T${seconds}${offset}`));
  }
  if (/^\d{10}(\.\d+)?$/.test(text)) return fromMilliseconds(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return fromMilliseconds(Number(text));
  const named =
    /^(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})|(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3})[a-z]*\.?,? (\d{4}))\b/i.exec(
      text,
    );
  if (named) {
    const month = MONTHS.indexOf((named[1] ?? named[5])!.toLowerCase()) + 1;
    return onDay(Number(named[3] ?? named[6]), month, Number(named[2] ?? named[4]));
  }
  const numbers = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ ,T].*)?$/.exec(text);
  if (!numbers) return undefined;
  const [first, second] = [Number(numbers[1]), Number(numbers[3])];
  const year = Number(numbers[4]);
  const known = order ?? (numbers[2] === '.' ? 'dmy' : orderOf([text]));
  if (known === undefined) return undefined;
  return known === 'dmy' ? onDay(year, second, first) : onDay(year, first, second);
}

/** Finds the order of day and month from dates in which one of the two is above 12. */
export function orderOf(dates: readonly string[]): DateOrder | undefined {
  for (const date of dates) {
    const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}/.exec(date.trim());
    if (!parts) continue;
    if (Number(parts[1]) > 12) return 'dmy';
    if (Number(parts[2]) > 12) return 'mdy';
  }
  return undefined;
}

function onDay(year: number, month: number, day: number): Time | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? { day: date.toISOString().slice(0, 10), instant: undefined } : undefined;
}

function fromMilliseconds(time: number): Time | undefined {
  if (!(Math.abs(time) < 8.64e15)) return undefined;
  const iso = new Date(time).toISOString();
  return { day: iso.slice(0, 10), instant: `${iso.slice(0, 19)}Z` };
}

function latest(...instants: (string | undefined)[]): string | undefined {
  return instants
    .filter((instant) => instant !== undefined)
    .sort()
    .at(-1);
}

function describe(field: string, value: unknown): string {
  if (value === undefined) return `has no ${field}`;
  const text = typeof value === 'object' ? 'an object' : JSON.stringify(String(value).slice(0, 40));
  if (field === 'rating' && Number(value) > 5) {
    return `its rating ${text} is above 5: say --scale 10 or --scale 100`;
  }
  return field === 'date' && /^\d{1,2}\/\d{1,2}\/\d{4}/.test(String(value))
    ? `its date ${text} may be two days: say --dates dmy or --dates mdy`
    : `its ${field} ${text} is none`;
}
