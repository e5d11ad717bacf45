import { plainValue } from './plain-value.ts';

/** Days as Excel writes those that it took for dates: 2024-03-04, or counted as 45355. */
const TAKEN = /^(?:\d{4}-\d{2}-(\d{2})(?:[ T]00:00(?::00(?:\.0+)?)?Z?)?|(\d{5}))$/;
const LEFT = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b/;
const SERIAL_EPOCH = Date.UTC(1899, 11, 30);

/**
 * Tells whether some dates of a column were turned around: Excel takes 03/04 for a day in its own order,
 * and leaves 13/04 as text.
 */
export function areTurned(dates: readonly string[]): boolean {
  const days: number[] = [];
  let hasLate = false;
  for (const date of dates) {
    const text = plainValue(date);
    const [taken, day, serial] = TAKEN.exec(text) ?? [];
    const [, one, other] = LEFT.exec(text) ?? [];
    hasLate ||= Number(one) > 12 || Number(other) > 12;
    if (taken !== undefined) {
      days.push(Number(day ?? new Date(SERIAL_EPOCH + Number(serial) * 86_400_000).getUTCDate()));
    }
  }
  return hasLate && days.length > 0 && days.every((day) => day <= 12);
}
