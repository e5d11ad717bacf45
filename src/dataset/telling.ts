import type { InsightsDataset } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { OVERALL_ASPECT } from '../schema/vocabulary.ts';
import { dayNumber, shiftDay } from '../base/days.ts';

/** Fewer words tell little, and more are rarely read to their end. */
const MIN_WORDS = 40;
const MAX_WORDS = 120;
/** Reviews of the year and a half before the newest one are recent. */
const RECENT_DAYS = 548;

/** Returns the first day on which a review is a recent one. @param newest day of the newest review */
export function recentFrom(newest: string): number {
  return dayNumber(shiftDay(newest, -RECENT_DAYS));
}

/**
 * Returns how much a review tells: more if it is recent, then if it has 40 to 120 words, then by the
 * number of aspects that it names. /method/ states this rule.
 *
 * @param aspects ids of those that were found in it
 * @param recent see {@link recentFrom}
 */
export function tellingKey(
  { date, text }: Pick<Review, 'date' | 'text'>,
  aspects: readonly string[],
  recent: number,
): number {
  const words = text?.trim().split(/\s+/).length ?? 0;
  const named = new Set(aspects.filter((id) => id !== OVERALL_ASPECT)).size;
  return (
    (dayNumber(date) >= recent ? 2000 : 0) +
    (words >= MIN_WORDS && words <= MAX_WORDS ? 1000 : 0) +
    Math.min(named, 999)
  );
}

/**
 * Returns the reviews that a home page opens with, each the most telling of its kind: one of five
 * stars, one of three or fewer with its answer (of three stars if none is answered), and another of
 * one or two.
 *
 * @param reviews newest first
 */
export function mostTelling(
  reviews: readonly Review[],
  perReview: InsightsDataset['per_review'],
): Review[] {
  const [newest] = reviews;
  if (newest === undefined) return [];
  const recent = recentFrom(newest.date);
  const keys = new Map(
    reviews.map((review) => {
      const aspects = perReview[review.id]!.aspects.map(({ id }) => id);
      return [review, tellingKey(review, aspects, recent)];
    }),
  );
  const sorted = reviews
    .filter(({ text }) => text !== null)
    .toSorted((a, b) => keys.get(b)! - keys.get(a)!);
  const glowing = sorted.find(({ rating }) => rating === 5);
  const critical = sorted.find(({ rating }) => rating <= 2);
  const others = sorted.filter((review) => review !== critical && review.rating <= 3);
  const answered =
    others.find(({ owner_reply: reply }) => reply !== null) ??
    others.find(({ rating }) => rating === 3);
  return [glowing, answered, critical].filter((review) => review !== undefined);
}
