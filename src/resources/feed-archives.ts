import { shiftDay, yearOf } from '../dataset/since.ts';
import type { Review } from '../schema/review.ts';
import { FEED_LENGTH } from './feed.ts';

/** The reviews of some days, as a document of its own behind both feeds. */
export interface FeedArchive {
  /** The first of its days, which names it. */
  from: string;
  /** Newest first. */
  reviews: readonly Review[];
  /** Name of the archive before it; undefined for the oldest. */
  previous: string | undefined;
}

/**
 * Divides the reviews into archives, newest first (RFC 5005, section 4). An archive ends with its
 * year, or with the day on which it has as many reviews as a feed. Counted from the oldest review
 * of a year, this never depends on later days: their reviews change no archive, and a late review
 * changes only those of its year. Days that the feeds still have in full need no archive yet; the
 * newest archive overlaps the feeds, because their window moves with every review.
 *
 * @param reviews newest first
 */
export function feedArchives(reviews: readonly Review[]): FeedArchive[] {
  const archives: FeedArchive[] = [];
  let oldest = reviews.length - 1;
  let previous: string | undefined;
  while (oldest >= FEED_LENGTH) {
    const newest = newestOfArchive(reviews, oldest);
    const from = firstDay(reviews[oldest]!, reviews[oldest + 1]);
    archives.unshift({ from, reviews: reviews.slice(newest, oldest + 1), previous });
    previous = from;
    oldest = newest - 1;
  }
  return archives;
}

/** Returns the index of the last review that goes into an archive, given that of the first. */
function newestOfArchive(reviews: readonly Review[], oldest: number): number {
  let at = oldest;
  for (; at > 0; at--) {
    const { date } = reviews[at]!;
    const { date: next } = reviews[at - 1]!;
    if (yearOf(next) !== yearOf(date)) break;
    if (next !== date && oldest - at + 1 >= FEED_LENGTH) break;
  }
  return at;
}

/** Returns New Year's Day, or the day after the archive that ends within this year. */
function firstDay({ date }: Review, before: Review | undefined): string {
  const year = yearOf(date);
  return before && yearOf(before.date) === year ? shiftDay(before.date, 1) : `${year}-01-01`;
}
