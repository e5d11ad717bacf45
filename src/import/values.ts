/** The order of day and month in dates such as 03/04/2025. */
export type DateOrder = 'dmy' | 'mdy';

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
