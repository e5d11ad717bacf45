import type { AggregateRating, Verification } from '../schema/dataset.ts';
import { verificationOf, type ImportRecord } from '../schema/provenance.ts';
import type { Review } from '../schema/review.ts';
import type { Score } from '../schema/score.ts';
import { nextMonth } from '../base/days.ts';
import { meanOrNull, percentageOrNull } from '../base/round.ts';

export function ratingOf(reviews: readonly Pick<Review, 'rating'>[]) {
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  return { review_count: reviews.length, rating_value: meanOrNull(stars, reviews.length) };
}

/** Returns the mean of scores on their own scale; undefined for stars alone, and for several scales. */
function scoreOf(reviews: readonly Pick<Review, 'rating' | 'score'>[]): Score | undefined {
  if (reviews.every(({ score }) => score === undefined)) return undefined;
  const scores = reviews.map(({ rating, score }) => score ?? { value: rating, best: 5 });
  const [best, ...others] = new Set(scores.map((score) => score.best));
  if (best === undefined || others.length > 0) return undefined;
  const sum = scores.reduce((total, { value }) => total + value, 0);
  return { value: meanOrNull(sum, scores.length)!, best };
}

/**
 * Returns every month from the oldest review to the newest, oldest first, also those without any.
 *
 * @param reviews newest first
 */
export function monthsOf<T extends Pick<Review, 'date'>>(
  reviews: readonly T[],
): { month: string; reviews: T[] }[] {
  const byMonth = Map.groupBy(reviews, ({ date }) => date.slice(0, 7));
  const [newest, ...older] = byMonth.keys();
  const all: { month: string; reviews: T[] }[] = [];
  let month = older.at(-1) ?? newest;
  while (month !== undefined) {
    all.push({ month, reviews: byMonth.get(month) ?? [] });
    month = month === newest ? undefined : nextMonth(month);
  }
  return all;
}

/** @param reviews newest first */
export function computeRating(reviews: readonly Review[]): AggregateRating {
  const { rating_value, review_count } = ratingOf(reviews);
  const numberOf = (is: (review: Review) => boolean) => reviews.filter(is).length;
  const withStars = (stars: number) => numberOf(({ rating }) => rating === stars);
  return {
    rating_value,
    review_count,
    text_review_count: numberOf(({ text }) => text !== null),
    best_rating: 5,
    worst_rating: 1,
    distribution: {
      '1': withStars(1),
      '2': withStars(2),
      '3': withStars(3),
      '4': withStars(4),
      '5': withStars(5),
    },
    by_source: [...Map.groupBy(reviews, ({ source }) => source)]
      .map(([source, own]) => {
        const { rating_value, review_count } = ratingOf(own);
        const score = scoreOf(own);
        return { source, rating_value, ...(score && { score }), review_count };
      })
      .sort((a, b) => b.review_count - a.review_count || (a.source < b.source ? -1 : 1)),
    reply_rate_pct:
      percentageOrNull(
        numberOf(({ owner_reply }) => owner_reply !== null),
        reviews.length,
      ) ?? 0,
    latest_review_date: reviews[0]?.date ?? null,
  };
}

/**
 * Returns the newest rule of every source that was imported and has a published review, by source.
 *
 * @param imports oldest first
 */
export function verificationRules(
  imports: readonly ImportRecord[],
  { by_source }: AggregateRating,
): Verification[] {
  const rules = new Map<string, string>();
  for (const record of imports) {
    for (const source of record.sources) {
      const rule = verificationOf(record, source);
      if (rule !== undefined) rules.set(source, rule);
    }
  }
  return by_source.flatMap(({ source }) => {
    const rule = rules.get(source);
    return rule === undefined ? [] : [{ source, rule }];
  });
}
