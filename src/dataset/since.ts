import type { ReviewLines } from './document.ts';
import { lineEnd } from './document.ts';

const OPEN = Buffer.from('{"reviews":[\n');

/**
 * The body of `/api/reviews/since/{date}` as pieces to be sent one after the other. Reviews come
 * first so that all listings share their beginning: one running hash validates every day.
 *
 * @param count how many reviews, from the newest, are on or after the day
 */
export function sinceBody(lines: ReviewLines, count: number, date: string): Buffer[] {
  return [...sincePrefix(lines, count), sinceClose(count, date)];
}

/** What listings of the same length have in common, whatever the day. */
export function sincePrefix(lines: ReviewLines, count: number): Buffer[] {
  if (count === 0) return [OPEN];
  return [OPEN, lines.bytes.subarray(lines.starts[0]!, lineEnd(lines, count - 1))];
}

/** The end of a listing: the only part that names the day. */
export function sinceClose(count: number, date: string): Buffer {
  return Buffer.from(`${count > 0 ? '\n' : ''}],"count":${count},"since":"${date}"}\n`, 'latin1');
}

/** How many reviews are on or after a day. @param dates newest first */
export function countSince(dates: ArrayLike<number>, day: number): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (dates[middle]! >= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `2026-05-14` as 20260514: ordered like the days themselves. */
export function dayNumber(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10));
}
