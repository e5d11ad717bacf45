/** Days and months in words. The locale is that of the pages; days have no time zone. */
const LOCALE = 'en-US';
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });

const day = inUtc({ year: 'numeric', month: 'long', day: 'numeric' });
const month = inUtc({ year: 'numeric', month: 'long' });
const monthAlone = inUtc({ month: 'long' });

/** `2026-05-14` → `May 14, 2026`. */
export function dayName(date: string): string {
  return day.format(new Date(date));
}

/** `2026-05` → `May 2026`. */
export function monthName(yearMonth: string): string {
  return month.format(new Date(yearMonth));
}

/** `2026-05` → `May`. */
export function monthOfYear(yearMonth: string): string {
  return monthAlone.format(new Date(yearMonth));
}

/** `2026-05-14` → `2026`. */
export function yearOf(date: string): string {
  return date.slice(0, 4);
}
