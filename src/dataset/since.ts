import { dayNumber, shiftDay } from '../base/days.ts';
import { firstIndex } from '../base/first-index.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import { lineEnd, linesBetween, type ReviewLines } from './document.ts';

const OPEN = '{"reviews":[\n';

/**
 * Returns the body of `/api/reviews/since/{date}` in pieces to send one after the other, without copying
 * the reviews.
 *
 * @param count the number of reviews on or after the day
 */
export function sinceBody(lines: ReviewLines, count: number, date: string): Buffer[] {
  const listed =
    count === 0 ? [] : [linesBetween(lines, lines.starts[0]!, lineEnd(lines, count - 1))];
  const close = `${count > 0 ? '\n' : ''}],"count":${count},"since":"${date}"}\n`;
  return [Buffer.from(OPEN), ...listed, Buffer.from(close, 'latin1')];
}

/**
 * Counts the reviews on or after a day.
 *
 * @param dates newest first
 */
export function countSince(dates: ArrayLike<number>, day: number): number {
  return firstIndex(dates.length, (index) => dates[index]! < day);
}

/** Years have four digits (RFC 3339, section 5.6). */
const LAST_DAY = '9999-12-31';
/** Days ahead of the newest review that get a (nearly always empty) file. */
const DAYS_AHEAD = 366;
/** Bytes of the listings of days with reviews, as a multiple of those of reviews.json. */
const MAX_TIMES = 2;
/** The same of a site without a sidecar: nothing computes the other days. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the days whose listing is written as a file: a year ahead of the newest review, but not
 * beyond 9999, and from there back until the listings together are twice as large as
 * reviews.json. A file for every day would grow with the square of the dataset.
 *
 * @returns the days, newest first; none when there is no review
 */
export function sinceWindow({
  lines,
  dataset: { reviews },
  sidecar,
}: {
  lines: ReviewLines;
  dataset: Pick<ReviewsDataset, 'reviews'>;
  sidecar: boolean;
}): string[] {
  const [newest] = reviews;
  if (!newest) return [];
  const budget = sidecar ? MAX_TIMES * lines.bytes.length : MAX_BYTES;
  const days = reviews.map(({ date }) => dayNumber(date));
  const window: string[] = [];
  let written = 0;
  const daysLeft = dayNumber(LAST_DAY) - days[0]!;
  for (let ahead = Math.min(DAYS_AHEAD, daysLeft); ; ahead--) {
    const day = shiftDay(newest.date, ahead);
    const count = countSince(days, dayNumber(day));
    if (count > 0) {
      written += sinceBody(lines, count, day).reduce((sum, { length }) => sum + length, 0);
    }
    if (written > budget) return window;
    window.push(day);
    if (count === lines.count) return window;
  }
}
