import { monthOf, weekdaysOf } from './calendar-words.ts';
import { LONGEST_VALUE, plainValue } from './plain-value.ts';

/** The orders of day, month and year in dates such as 03/04/2025 and 25-04-03. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface Time {
  /** The calendar day in UTC. */
  day: string;
  /** Undefined when only the day is known. */
  instant: string | undefined;
  /** True when only the month is known: the day is its first. */
  isMonth?: boolean;
}

/** Years in which online reviews exist; others are a computer's zero or of another calendar. */
export const YEARS = { first: 1995, last: 2100 };
/** The day 0 of spreadsheets, 1899-12-30. */
const SERIAL_EPOCH = Date.UTC(1899, 11, 30);

/**
 * Reads a date or a time in the notations of exports: ISO 8601, seconds and smaller units since 1970,
 * days as spreadsheets count them, months by their name in many languages, and days of numbers if
 * their order is known. Words beside the date must be known, too: "Date of visit: May 6, 2024" is
 * not the date of a review.
 */
export function parseTime(value: unknown, order?: DateOrder): Time | undefined {
  const text = plainValue(value);
  if (text.length > LONGEST_VALUE || !/\d/.test(text)) return undefined;
  const [, count] = /^(?:\/Date\()?(\d+(?:\.\d+)?)(?:[+-]\d{4})?(?:\)\/)?$/.exec(text) ?? [];
  if (count !== undefined && !/^\d{8}$|^\d{2}\.\d{4}$/.test(count)) return counted(count);
  const month = MONTH_ALONE.exec(text);
  if (month) return asMonth(Number(month[1] ?? month[4]), Number(month[2] ?? month[3]));
  const clock = CLOCK.exec(text)?.groups;
  return clock ? withClock(clock as unknown as Clock, order) : dayIn(text, order);
}

/** Reads a number by its size: days since 1899, or a fraction of seconds since 1970. */
function counted(count: string): Time | undefined {
  const [whole = ''] = count.split('.');
  if (whole.length === 5) {
    const time = fromMilliseconds(SERIAL_EPOCH + Math.round(Number(count) * 86_400) * 1000);
    return time && whole === count ? { ...time, instant: undefined } : time;
  }
  const perUnit = { 10: 1000, 13: 1, 16: 0.001 }[whole.length];
  return perUnit === undefined ? undefined : fromMilliseconds(Number(count) * perUnit);
}

const MONTH_ALONE = /^(?:(\d{4})[-/](\d{1,2})|(\d{1,2})[-/.](\d{4}))$/;

interface Clock {
  date: string;
  /** The words before the clock, such as `at`. */
  words: string;
  hour: string;
  minute: string;
  second?: string;
  noon?: string;
  rest: string;
}

/** A clock below a day: "T19:24:11.000Z", " 10:00 PM", " at 23:30 GMT+0200 (CEST)". */
const CLOCK =
  /^(?<date>.*?\d.*?)(?:T|[ ,]+(?<words>(?:\p{L}[\p{L}\p{M}.]* ?){0,3}))(?<hour>\d{1,2})[:.h](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d+)?)?(?: ?(?<noon>[ap])\.? ?m\b\.?)?(?<rest>(?![\d:.]).*|)$/iu;
/** Offsets and the few names of zones that have one meaning, perhaps with the year below or a comment. */
const ZONE =
  /^ ?(?:(?<name>Z|UTC|GMT|[ECMP][SD]T)|(?:UTC|GMT)?(?<hours>[+-]\d{1,2})(?::?(?<minutes>\d{2}))?)?(?: (?<year>\d{4}))?(?: ?[([].*[)\]])?$/;

function withClock(clock: Clock, order: DateOrder | undefined): Time | undefined {
  const { date, hour, minute, second = '00', noon, rest, words = '' } = clock;
  const zone = ZONE.exec(rest)?.groups;
  if (!zone && /\d/.test(rest)) return undefined;
  const years = zone?.year ?? '';
  const time = dayIn(`${date} ${years}`, order) ?? dayIn(`${date} ${words}${years}`, order);
  if (!time || time.isMonth) return undefined;
  const { name = 'UTC', hours, minutes = '00' } = zone ?? {};
  const hour24 = noon ? (Number(hour) % 12) + (noon.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  const zoneHours = hours?.replace(/^([+-])(?=\d$)/, '$10');
  const offset = hours === undefined ? ` ${name}` : ` ${zoneHours}${minutes}`;
  const text = `${time.day} ${String(hour24).padStart(2, '0')}:${minute}:${second}${offset}`;
  const instant = fromMilliseconds(Date.parse(text.replace(' Z', ' UTC')));
  const isStated = hours !== undefined || zone?.name !== undefined;
  // ISO 8601 without a zone is taken for UTC; elsewhere the day is as it was written.
  const isIso = zone !== undefined && words === '' && /^\d{4}\D/.test(date);
  if (!instant || !(isStated || isIso)) return instant && time;
  // Midnight somewhere else is a day without a time.
  const isMidnight = /^0+$/.test(hour24 + minute + second);
  return isMidnight && instant.day !== time.day ? time : instant;
}

/** Words of a date that are neither months nor weekdays, in several languages. */
const PARTICLES = new Set(
  'st nd rd th er º ª of the on de del di d den am le el il em a o г года р m gada dne år utc'.split(
    ' ',
  ),
);
const PUBLISHED =
  /^(?:reviewed|posted|written|published|submitted|edited|rezension|bewertet|commenté|publié|reseñado|publicado|escrito|recensito|pubblicato|avaliado|beoordeeld)\b(?:[^\d:]* (?:on|vom|am|le|el|il|em|op) )?/iu;
/** Year, month and day of Japanese, Chinese and Korean dates; alone, some of the letters are weekdays. */
const UNITS = /(?<=\d)[年月日년월일]|(?<=\d )[年년]|(?<=[年년].*\d )[月日월일]/g;
const TOKEN =
  /(?:tháng|thg) \d{1,2}|\p{L}[\p{L}\p{M}]*(?:\.\p{L}[\p{L}\p{M}]*)*|\d+|[^ .,/()'’׳॰-]/giu;

/** A number of a date with its digits; the name of a month is its number, and has none. */
interface Part {
  value: number;
  digits: number;
}

/** A date in its parts, in the order of its text, and the weekdays that it may say. */
interface Parts {
  parts: Part[];
  weekdays: ReadonlySet<number>[];
}

/** Splits a date into day, month and year; undefined where a word is unknown. */
function partsOf(text: string): Parts | undefined {
  const tokens = text.replace(PUBLISHED, '').replaceAll(UNITS, ' ').match(TOKEN) ?? [];
  const isNumber = (token: string) => /^\d+$/.test(token);
  const months = tokens.filter((token) => !isNumber(token) && monthOf(token) > 0);
  // `mar` may be a Tuesday.
  const names = months.length > 1 ? months.filter((token) => !weekdaysOf(token)) : months;
  const parts: Part[] = [];
  const weekdays: ReadonlySet<number>[] = [];
  for (const token of tokens) {
    if (isNumber(token)) parts.push({ value: Number(token), digits: token.length });
    else if (names.includes(token)) parts.push({ value: monthOf(token), digits: 0 });
    else if (!PARTICLES.has(token.toLowerCase())) {
      const days = weekdaysOf(token);
      if (!days) return undefined;
      weekdays.push(days);
    }
  }
  return { parts, weekdays };
}

/** Reads a day; a weekday beside it decides between two readings, and contradicts a wrong one. */
function dayIn(text: string, order: DateOrder | undefined): Time | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const { parts, weekdays } = partsOf(compact ? compact.slice(1).join(' ') : text) ?? NO_PARTS;
  if (weekdays.length === 0) return dayOf(parts, text, order);
  const orders = order === undefined ? [undefined, ...DATE_ORDERS] : [order];
  return orders
    .map((each) => dayOf(parts, text, each))
    .find((time) => time && weekdays.every((days) => days.has(new Date(time.day).getUTCDay())));
}

const NO_PARTS: Parts = { parts: [], weekdays: [] };

function dayOf(
  parts: readonly Part[],
  text: string,
  order: DateOrder | undefined,
): Time | undefined {
  const yearAt = parts.findIndex(({ digits }) => digits === 4);
  const last = parts.at(-1)?.digits === 2 && parts[0]!.digits > 0 ? parts.length - 1 : yearAt;
  const isYearFirst = order === 'ymd' && parts[0]?.digits === 2;
  const at = yearAt === -1 ? (isYearFirst ? 0 : last) : yearAt;
  const [first, second, ...others] = parts.toSpliced(at, 1);
  if (at === -1 || !first || others.length > 0) return undefined;
  const year = parts[at]!.value + (yearAt === -1 ? 2000 : 0);
  if (!second)
    return first.digits === 0 || /[年년]/.test(text) ? asMonth(year, first.value) : undefined;
  if (Math.max(first.digits, second.digits) > 2) return undefined;
  if (first.digits === 0) return onDay(year, first.value, second.value);
  if (second.digits === 0) return onDay(year, second.value, first.value);
  if (at === 0) return onDay(year, first.value, second.value);
  const known = order ?? (/^[^/-]*\.[^/-]*$/.test(text) ? 'dmy' : orderOf([text]));
  if (at === 1 || known === undefined || known === 'ymd') return undefined;
  const [day, month] = known === 'dmy' ? [first, second] : [second, first];
  return onDay(year, month.value, day.value);
}

/**
 * Finds the order of day and month from dates in which one of the two is above 12; undefined where
 * they contradict each other, or where two digits may be the year first.
 */
export function orderOf(dates: readonly string[]): DateOrder | undefined {
  const all = dates.flatMap((date) => {
    const text = plainValue(date).slice(0, LONGEST_VALUE);
    const { parts } = partsOf(CLOCK.exec(text)?.groups!.date ?? text) ?? NO_PARTS;
    const [first, second, year, ...others] = parts;
    const isShort = [first, second].every((part) => part?.digits === 1 || part?.digits === 2);
    const isYear = year?.digits === 2 || year?.digits === 4;
    return isShort && isYear && others.length === 0
      ? [{ first: first!.value, second: second!.value, year }]
      : [];
  });
  const isDayFirst = all.some(({ first }) => first > 12);
  const isMonthFirst = all.some(({ second }) => second > 12);
  if (isDayFirst === isMonthFirst) return undefined;
  const isYearPerhaps = all.every(({ first, year }) => first > 12 && year.digits === 2);
  if (isYearPerhaps) return undefined;
  return isDayFirst ? 'dmy' : 'mdy';
}

function asMonth(year: number, month: number): Time | undefined {
  const time = onDay(year, month, 1);
  return time && { ...time, isMonth: true };
}

function onDay(year: number, month: number, day: number): Time | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const isOnline = year >= YEARS.first && year <= YEARS.last;
  return exists && isOnline
    ? { day: date.toISOString().slice(0, 10), instant: undefined }
    : undefined;
}

function fromMilliseconds(time: number): Time | undefined {
  if (!(time >= Date.UTC(YEARS.first) && time < Date.UTC(YEARS.last + 1))) return undefined;
  const iso = new Date(time).toISOString();
  return { day: iso.slice(0, 10), instant: `${iso.slice(0, 19)}Z` };
}
