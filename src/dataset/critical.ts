import type { Review } from '../schema/review.ts';

/** Stars of a critical review, at most. */
export const CRITICAL_STARS = 2;

/**
 * Returns the newest critical review; undefined if there is none.
 *
 * @param reviews newest first
 */
export function newestCritical(reviews: readonly Review[]): Review | undefined {
  return reviews.find(({ rating }) => rating <= CRITICAL_STARS);
}
