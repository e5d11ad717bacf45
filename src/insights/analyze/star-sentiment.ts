import type { Sentiment } from '../../schema/insights.ts';

/** The sentiment of a whole review is its stars: 4 and 5 positive, 3 neutral, 1 and 2 negative. */
export function starSentiment(rating: number): Sentiment {
  if (rating >= 4) return 'positive';
  return rating === 3 ? 'neutral' : 'negative';
}

/** Stars on the scale -1 to 1. */
export function starScore(rating: number): number {
  return (rating - 3) / 2;
}
