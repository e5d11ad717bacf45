/** `2026-05-14` → 20260514: ordered like the days themselves. */
export function dayNumber(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10));
}

/** `20260514` → `2026-05-14`. */
export function dayOfNumber(number: number): string {
  const digits = String(number).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** `shiftDay('2026-03-01', -1)` → `2026-02-28`. */
export function shiftDay(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** `2026-02` → `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}

/** A time of a day (ISO 8601), also where a query string made a blank of its plus sign. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+ ]\d\d(?::?\d\d)?)?$/i;

/** Returns the day of a time, and the first or last day of a year or a month. Any other text stays as it is. */
export function dayIn(text: string, end: 'first' | 'last'): string {
  const day = TIME.exec(text)?.[1] ?? text;
  if (/^\d{4}$/.test(day)) return `${day}-${end === 'last' ? '12-31' : '01-01'}`;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(day)) return day;
  return end === 'last' ? lastDayOf(day) : `${day}-01`;
}

/** `2026-12` → `2027-01`. */
export function nextMonth(month: string): string {
  return shiftDay(lastDayOf(month), 1).slice(0, 7);
}

/** Returns the days from one day to a later one; 0 if it is earlier. */
export function daysUntil(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}

export function yearOf(date: string): string {
  return date.slice(0, 4);
}
