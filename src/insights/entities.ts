import { meanOrNull } from '../dataset/round.ts';
import type { Entity, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';
import { starSentiment } from './star-sentiment.ts';

type Kind = 'technicians' | 'services' | 'problems' | 'service_areas';

interface Tally {
  counts: { positive: number; neutral: number; negative: number };
  stars: number;
  reviews: Review[];
}

/**
 * Counts what reviews mention, one entity for every entry of the vocabulary, in its order;
 * those nobody mentions stay, with zero.
 *
 * @param reviews newest first
 */
export function entities(
  kind: Kind,
  entries: readonly { id: string; label: string }[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): Entity[] {
  const tallies = new Map(entries.map(({ id }) => [id, emptyTally()]));
  for (const review of reviews) {
    for (const id of perReview[review.id]![kind]) {
      const tally = tallies.get(id)!;
      tally.counts[starSentiment(review.rating)]++;
      tally.stars += review.rating;
      tally.reviews.push(review);
    }
  }
  return entries.map(({ id, label }) => entity(id, label, tallies.get(id)!));
}

function emptyTally(): Tally {
  return { counts: { positive: 0, neutral: 0, negative: 0 }, stars: 0, reviews: [] };
}

function entity(id: string, label: string, { counts, stars, reviews }: Tally): Entity {
  return {
    id,
    label,
    mention_count: reviews.length,
    positive_count: counts.positive,
    neutral_count: counts.neutral,
    negative_count: counts.negative,
    score: null,
    average_rating: meanOrNull(stars, reviews.length),
    first_mentioned: reviews.at(-1)?.date ?? null,
    last_mentioned: reviews[0]?.date ?? null,
    review_ids: reviews.map(({ id }) => id),
  };
}
