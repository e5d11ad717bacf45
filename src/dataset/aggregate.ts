import type { AggregateRating, Verification } from '../schema/dataset.ts';
import { verificationOf, type ImportRecord } from '../schema/provenance.ts';
import type { Review } from '../schema/review.ts';
import { meanOrNull, percentageOrNull } from './round.ts';

/** @param reviews newest first */
export function computeRating(reviews: readonly Review[]): AggregateRating {
  const distribution = { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 };
  const bySource = new Map<string, { sum: number; count: number }>();
  let sum = 0;
  let withText = 0;
  let answered = 0;
  for (const review of reviews) {
    sum += review.rating;
    distribution[String(review.rating) as keyof typeof distribution]++;
    if (review.text !== null) withText++;
    if (review.owner_reply !== null) answered++;
    const source = bySource.get(review.source) ?? { sum: 0, count: 0 };
    source.sum += review.rating;
    source.count++;
    bySource.set(review.source, source);
  }
  return {
    rating_value: meanOrNull(sum, reviews.length),
    review_count: reviews.length,
    text_review_count: withText,
    best_rating: 5,
    worst_rating: 1,
    distribution,
    by_source: [...bySource]
      .map(([source, { sum, count }]) => ({
        source,
        rating_value: meanOrNull(sum, count),
        review_count: count,
      }))
      .sort((a, b) => b.review_count - a.review_count || (a.source < b.source ? -1 : 1)),
    reply_rate_pct: percentageOrNull(answered, reviews.length) ?? 0,
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
