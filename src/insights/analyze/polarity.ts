import type { Sentiment } from '../../schema/insights.ts';
import type { Opinion } from './opinions.ts';

/** Summed positive and negative scores. */
export interface Evidence {
  good: number;
  bad: number;
}

/**
 * Adds up opinions.
 *
 * @param weightOf factor of the opinion's score
 */
export function evidenceOf(
  opinions: readonly Opinion[],
  weightOf: (opinion: Opinion) => number = () => 1,
): Evidence {
  const total = { good: 0, bad: 0 };
  for (const opinion of opinions) {
    const worth = opinion.score * weightOf(opinion);
    if (worth > 0) total.good += worth;
    else total.bad -= worth;
  }
  return total;
}

/** Returns the score of the rules, from -1 to 1. */
export function ruleScore({ good, bad }: Evidence): number {
  const sum = good - bad;
  return sum / Math.sqrt(sum * sum + 15);
}

/** Scores closer to 0 are neutral. */
export const SIDE = 0.1;

/** Returns the side of a score from -1 to 1. */
export function polarity(score: number): Sentiment {
  if (score >= SIDE) return 'positive';
  return score <= -SIDE ? 'negative' : 'neutral';
}

/** Returns the sentiment of a review: 4 and 5 stars are positive, 3 neutral, 1 and 2 negative. */
export function starSentiment(rating: number): Sentiment {
  if (rating >= 4) return 'positive';
  return rating === 3 ? 'neutral' : 'negative';
}

/** Returns the stars on a scale from -1 to 1. */
export function starScore(rating: number): number {
  return (rating - 3) / 2;
}
