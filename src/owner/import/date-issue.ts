import { plainValue } from './plain-value.ts';
import { DATE_ORDERS, parseTime, YEARS } from './values.ts';

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
