import type { InsightsDataset, PerReview } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { readsAlone } from '../analyze/quotes.ts';

const MIN_LENGTH = 40;
const MAX_LENGTH = 140;

/**
 * One sentence that stands for the praise: a statement that reads alone, of 40 to 140 characters,
 * from a review of five stars that blames nothing. The one that praises most, counted over all
 * aspects it speaks of; of equals the newest. Null when there is none.
 *
 * @param reviews newest first
 */
export function pullQuote(
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): InsightsDataset['pull_quote'] {
  let best: { text: string; review_id: string } | null = null;
  let highest = 0;
  for (const { id, rating } of reviews) {
    const { aspects } = perReview[id]!;
    if (rating < 5 || aspects.some(({ sentiment }) => sentiment === 'negative')) continue;
    const praise = new Map<string, number>();
    for (const { quote, score } of aspects) {
      if (quote !== null && quote.length >= MIN_LENGTH && quote.length <= MAX_LENGTH) {
        praise.set(quote, (praise.get(quote) ?? 0) + score);
      }
    }
    for (const [text, sum] of praise) {
      if (sum > highest && readsAlone(text)) {
        highest = sum;
        best = { text, review_id: id };
      }
    }
  }
  return best;
}
