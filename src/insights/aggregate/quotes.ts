import type { InsightsDataset, PerReview } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';

const MIN_LENGTH = 40;
const MAX_LENGTH = 140;

/**
 * Picks one sentence for the home page: a statement of 40 to 140 characters that reads alone, from
 * a five-star review without criticism. The sum of its aspects' scores decides, then the date.
 * Returns null if no sentence qualifies.
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

const STARTS_ALONE = /^["“‘'(]?(?:[$£€]?\p{N}|\p{Lu})/u;
const ENDS_ALONE = /[.!](?:["”’')]*)$/u;
/** Openings that refer to a sentence outside the quote. */
const POINTS_BACK =
  /^["“‘'(]?(?:also|and|because|but|he|her|his|however|it|it['’]s|she|so|that|then|these|they|this|those|which)\b/iu;
const MIN_WORDS = 5;

/** Tells whether a quote is clear without its context: a complete statement, not in capitals. */
export function readsAlone(quote: string): boolean {
  const letters = quote.match(/\p{L}/gu)?.length ?? 0;
  const capitals = quote.match(/\p{Lu}/gu)?.length ?? 0;
  return (
    STARTS_ALONE.test(quote) &&
    ENDS_ALONE.test(quote) &&
    !POINTS_BACK.test(quote) &&
    capitals * 3 < letters &&
    quote.split(/\s+/).length >= MIN_WORDS
  );
}
