import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review } from '../schema/review.ts';

const MIN_LENGTH = 40;
const MAX_LENGTH = 140;

/**
 * One sentence that stands for the praise: of a review of five stars that blames nothing, 40 to
 * 140 characters, the one with the highest score; of equals the newest. Null when there is none.
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
    for (const { quote, score } of aspects) {
      if (quote === null || quote.length < MIN_LENGTH || quote.length > MAX_LENGTH) continue;
      if (score > highest) {
        highest = score;
        best = { text: quote, review_id: id };
      }
    }
  }
  return best;
}
