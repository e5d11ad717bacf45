import type { Score } from '../../schema/score.ts';

/** The order of day and month in dates such as 03/04/2025. */
export type DateOrder = 'dmy' | 'mdy';

const STAR_WORDS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
/** A number, "4,5/5", "4 von 5", "Rated 4 out of 5", "5 Sterne" or "5 star rating". */
const RATING =
  /^(?:rated )?(\d+(?:[.,]\d+)?)(?:\s*(?:\/|out of|of|von|de|sur|sobre|su)\s*(\d+))?(?:[ -]*(?:stars?|sterne?n?|étoiles?|estrellas?|estrelas?|stell[ae]|bubbles?))?(?: rating)?$/i;

/** Reads stars, from 1 to 5 and not yet rounded. Numbers of another scale are divided by it. */
export function parseRating(value: unknown, scale: number): number | undefined {
  const score = parseScore(value, scale);
  return score && (score.value * 5) / score.best;
}

/** Reads a rating on its own scale, which is `scale` unless the value tells another. */
export function parseScore(value: unknown, scale: number): Score | undefined {
  const text = textOf(value);
  const word = STAR_WORDS.indexOf(text.toUpperCase());
  if (word !== -1) return { value: word + 1, best: 5 };
  if (/^★{1,5}☆{0,4}$/.test(text)) return { value: text.lastIndexOf('★') + 1, best: 5 };
  const number = RATING.exec(text);
  if (!number) return undefined;
  const score = {
    value: Number(number[1]!.replace(',', '.')),
    best: number[2] === undefined ? scale : Number(number[2]),
  };
  return score.value > 0 && score.value <= score.best ? score : undefined;
}

/** Facebook has no stars: a recommendation is read as 5, advice against as 1. */
const RECOMMENDATIONS = new Map([
  ['positive', 5],
  ['negative', 1],
  ['true', 5],
  ['false', 1],
]);

export function parseRecommendation(value: unknown): Score | undefined {
  const stars = RECOMMENDATIONS.get(textOf(value).toLowerCase());
  return stars === undefined ? undefined : { value: stars, best: 5 };
}

export interface Time {
  /** The calendar day in UTC. */
  day: string;
  /** Undefined when only the day is known. */
  instant: string | undefined;
  /** True when only the month is known: the day is its first. */
  isMonth?: boolean;
}

const ISO =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?(?:\s*\(?UTC\)?)?$/;
/** "Apr 3, 2024", "Wed, April 3rd 2024 at 10:00" */
const MONTH_FIRST =
  /^(?:\p{L}+\.?,? )?(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)(?:[ ,T].*)?$/u;
/** "3 April 2024", "3. März 2024", "3 de mayo de 2024", "1er mai 2024" */
const DAY_FIRST =
  /^(?:\p{L}+\.?,? )?(\d{1,2})(?:st|nd|rd|th|er|º|\.)? (?:de |of )?(\p{L}{3,})\.?,? (?:de |del )?(\d{4})(?!\d)(?:[ ,T].*)?$/u;
/** "May 2024", "Mai 2024", "mayo de 2024" */
const MONTH_ALONE = /^(\p{L}{3,})\.?,? (?:de |del )?(\d{4})$/u;
const LONGEST_DATE = 60;
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})(?:[ ,T].*)?$/;

/**
 * Reads a date or a time in the notations of exports: ISO 8601, seconds or milliseconds since 1970,
 * months by their name in six languages, and days of numbers if their order is known.
 */
export function parseTime(value: unknown, order?: DateOrder): Time | undefined {
  const text = textOf(value);
  if (text.length > LONGEST_DATE) return undefined;
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, clock, zone = 'Z'] = iso;
    if (clock === undefined) return onDay(Number(year), Number(month), Number(day));
    const seconds = clock.length === 5 ? `${clock}:00` : clock;
    const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
    const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
    const exists = onDay(Number(year), Number(month), Number(day)) !== undefined;
    return exists ? fromMilliseconds(Date.parse(`${date}T${seconds}${offset}`)) : undefined;
  }
  if (/^\d{10}(\.\d+)?$/.test(text)) return fromMilliseconds(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return fromMilliseconds(Number(text));
  return named(text) ?? ofNumbers(text, order);
}

function named(text: string): Time | undefined {
  const first = MONTH_FIRST.exec(text);
  if (first) return onDay(Number(first[3]), monthOf(first[1]!), Number(first[2]));
  const second = DAY_FIRST.exec(text);
  if (second) return onDay(Number(second[3]), monthOf(second[2]!), Number(second[1]));
  const alone = MONTH_ALONE.exec(text) ?? /^()(\d{4})-(\d{2})$/.exec(text);
  if (!alone) return undefined;
  const time = onDay(Number(alone[2]), Number(alone[3] ?? monthOf(alone[1]!)), 1);
  return time && { ...time, isMonth: true };
}

function ofNumbers(text: string, order: DateOrder | undefined): Time | undefined {
  const numbers = NUMBERS.exec(text);
  if (!numbers) return undefined;
  const [first, second] = [Number(numbers[1]), Number(numbers[3])];
  const year = Number(numbers[4]) + (numbers[4]!.length === 2 ? 2000 : 0);
  const known = order ?? (numbers[2] === '.' ? 'dmy' : orderOf([text]));
  if (known === undefined) return undefined;
  return known === 'dmy' ? onDay(year, second, first) : onDay(year, first, second);
}

/**
 * Finds the order of day and month from dates in which one of the two is above 12; undefined where
 * they contradict each other, or where two digits may be the year first.
 */
export function orderOf(dates: readonly string[]): DateOrder | undefined {
  const parts = dates.flatMap((date) => {
    const [, first, , second, year] = NUMBERS.exec(date.trim()) ?? [];
    return first === undefined ? [] : [{ first: Number(first), second: Number(second), year }];
  });
  const isDayFirst = parts.some(({ first }) => first > 12);
  const isMonthFirst = parts.some(({ second }) => second > 12);
  if (isDayFirst === isMonthFirst) return undefined;
  const isYearPerhaps = parts.every(({ first, year }) => first > 12 && year!.length === 2);
  if (isYearPerhaps) return undefined;
  return isDayFirst ? 'dmy' : 'mdy';
}

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'it'];
/** Names of months in six languages, without accents, in twelve lists. */
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  LANGUAGES.map((language) =>
    plain(
      new Date(Date.UTC(2024, month)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
    ),
  ),
);

/** Returns the number of the month that a name or its beginning means; 0 if none or several. */
function monthOf(name: string): number {
  const found = MONTHS.flatMap((names, month) =>
    names.some((each) => each.startsWith(plain(name))) ? [month + 1] : [],
  );
  return found.length === 1 ? found[0]! : 0;
}

function plain(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '').trim();
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
