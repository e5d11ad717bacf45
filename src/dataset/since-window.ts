import type { ReviewLines } from './document.ts';
import { countSince, dayNumber, sinceBody } from './since.ts';

/** Dates have four digits of a year (RFC 3339, section 5.6). */
const LAST_DAY = '9999-12-31';
/** Days ahead of the newest review that get a (nearly always empty) file. */
const DAYS_AHEAD = 366;
const MIN_BUDGET_BYTES = 16 * 1024 * 1024;

/**
 * The days whose listing is written as a file: from the newest review back until the listings
 * together reach the size of reviews.json (at least 16 MiB), and a year ahead, but not beyond
 * 9999. A full set would grow with the square of the dataset.
 *
 * @param newest day of the newest review; null when there is none
 * @param days of the reviews as numbers, newest first
 * @returns the days, newest first; none when there is no review
 */
export function sinceWindow(
  lines: ReviewLines,
  newest: string | null,
  days: readonly number[],
): string[] {
  if (newest === null) return [];
  const budget = Math.max(MIN_BUDGET_BYTES, lines.bytes.length);
  const window: string[] = [];
  let written = 0;
  const daysLeft = dayNumber(LAST_DAY) - dayNumber(newest);
  for (let ahead = Math.min(DAYS_AHEAD, daysLeft); ; ahead--) {
    const day = shiftDay(newest, ahead);
    const count = countSince(days, dayNumber(day));
    written += sinceBody(lines, count, day).reduce((sum, { length }) => sum + length, 0);
    if (written > budget) return window;
    window.push(day);
    if (count === lines.count) return window;
  }
}

function shiftDay(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
