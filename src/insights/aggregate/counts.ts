import { round } from '../../base/round.ts';
import type { Sentiment } from '../../schema/insights.ts';

type Sides = Record<Sentiment, number>;

export function countSides(sentiments: Iterable<Sentiment>): Sides {
  const sides: Sides = { positive: 0, neutral: 0, negative: 0 };
  for (const sentiment of sentiments) sides[sentiment]++;
  return sides;
}

/**
 * Returns the score of anything that is counted: its net share, positive minus negative of all,
 * from -1 to 1. Null if nothing was counted.
 */
export function netShare({ positive, negative }: Sides, all: number): number | null {
  return all === 0 ? null : round((positive - negative) / all, 3);
}
