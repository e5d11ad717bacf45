import type { FieldMap } from './field-map.ts';
import { ImportError } from './import-error.ts';
import { plainValue } from './plain-value.ts';
import { valuesAt, type Row } from './rows.ts';
import { DATE_ORDERS, orderOf, parseTime, YEARS, type DateOrder } from './dates.ts';

/**
 * Finds the order of day, month and year in the columns of dates; undefined where they do not tell it.
 *
 * @throws {ImportError} where Excel turned some days around, or where the year may come first
 */
export function dateOrderIn(
  table: string,
  rows: readonly Row[],
  { date = [] }: FieldMap,
  stated: DateOrder | undefined,
): DateOrder | undefined {
  const columns = date.map((column) => ({ column, values: valuesAt(rows, column) }));
  const turned = columns.find(({ values }) => areTurned(values));
  if (turned) {
    throw new ImportError(
      `${table}: the days of its dates in ${turned.column} are all up to 12, those of its texts are above: ` +
        'Excel turned some days around: export again, or set the column to text before the file is opened',
    );
  }
  if (stated !== undefined) return stated;
  const unclear = columns.find(({ values }) => mayBeYearFirst(values));
  if (unclear) {
    throw new ImportError(
      `${table}: the dates in ${unclear.column} may begin with the year: say --dates ymd or --dates dmy`,
    );
  }
  const all = columns.flatMap(({ values }) => values);
  const order = orderOf(all);
  // Days with dots begin with the day, so one order cannot be that of both notations.
  const isMixed = order === 'mdy' && all.some((value) => /^\d+\.\d+\./.test(value));
  return isMixed ? undefined : order;
}

/** Days as Excel writes those that it took for dates: 2024-03-04, or counted as 45355. */
const TAKEN = /^(?:\d{4}-\d{2}-\d{2}(?:[ T]00:00(?::00(?:\.0+)?)?Z?)?|\d{5})$/;
const LEFT = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b/;

/**
 * Tells whether some dates of a column were turned around: Excel takes 03/04 for a day in its own order,
 * and leaves 13/04 as text.
 */
export function areTurned(dates: readonly string[]): boolean {
  const texts = dates.map(plainValue);
  const isLate = (text: string) =>
    LEFT.exec(text)
      ?.slice(1)
      .some((part) => Number(part) > 12);
  const taken = texts.flatMap((text) => (TAKEN.test(text) ? (parseTime(text)?.day ?? []) : []));
  return texts.some(isLate) && taken.length > 0 && taken.every((day) => Number(day.slice(8)) <= 12);
}

/** Tells whether dates such as 24.05.06 may begin with the year, because their first number changes least. */
function mayBeYearFirst(dates: readonly string[]): boolean {
  const found = dates.map((date) => /^(\d\d)\.\d\d?\.(\d\d)$/.exec(date));
  const [years, days] = [1, 2].map((part) => new Set(found.map((each) => each?.[part])).size);
  return found.every((each) => each !== null) && years! < days!;
}

const RELATIVE =
  /\b(?:ago|yesterday|today|gestern|heute|hier|ieri|ayer|ontem)\b|^(?:vor|hace|il y a|há) | fa$/i;

/** Returns why a value that {@link parseTime} does not read is no date, with what to do about it. */
export function dateIssue(value: unknown): string {
  if (typeof value === 'object') return 'its date is an object';
  const text = plainValue(value);
  const date = `its date ${JSON.stringify(String(value).slice(0, 40))}`;
  if (RELATIVE.test(text)) {
    return `${date} counts from the day of the export, which the file does not tell`;
  }
  const year = /^\d{4}(?=[./年-])|(?<=^\d{1,2}[./-]\d{1,2}[./-])\d{4}/.exec(text)?.[0];
  if (year !== undefined && (Number(year) < YEARS.first || Number(year) > YEARS.last)) {
    return `${date} is not of the years ${YEARS.first} to ${YEARS.last}: write it in the Gregorian calendar`;
  }
  const orders = DATE_ORDERS.filter((order) => parseTime(value, order) !== undefined);
  if (orders.length > 0) {
    return `${date} may be several days: say ${orders.map((order) => `--dates ${order}`).join(' or ')}`;
  }
  return /^\d{1,4}[./-] ?\d{1,2}[./-] ?\d{1,4}/.test(text)
    ? `${date} is no day of the calendar`
    : `${date} is not a date: write it as 2024-05-31`;
}
