import type { InsightsDataset, PerReview, Sentiment } from '../schema/insights.ts';

type Aspect = InsightsDataset['aspects'][number];

const HIGHLIGHTS = 3;
/** Fewer mentions do not make a pattern. */
const MIN_MENTIONS = 5;
/** Shorter quotes make little sense alone. */
const MIN_QUOTE_LENGTH = 25;

/**
 * Returns the most praised and the most criticized aspects. Praised are those with the largest
 * surplus of positive over negative mentions; criticized are those of the others with the most
 * negative mentions. No aspect is in both.
 */
export function praisedAndCriticized(aspects: readonly Aspect[]): {
  praised: Aspect[];
  criticized: Aspect[];
} {
  const spoken = aspects.filter(({ mention_count }) => mention_count >= MIN_MENTIONS);
  const surplus = ({ positive_count, negative_count }: Aspect) => positive_count - negative_count;
  const praised = spoken
    .filter((aspect) => surplus(aspect) > 0)
    .sort((a, b) => surplus(b) - surplus(a))
    .slice(0, HIGHLIGHTS);
  const criticized = spoken
    .filter((aspect) => aspect.negative_count > 0 && !praised.includes(aspect))
    .sort((a, b) => b.negative_count - a.negative_count)
    .slice(0, HIGHLIGHTS);
  return { praised, criticized };
}

/**
 * Returns the first example of a sentiment that makes sense alone, otherwise the first one, if any.
 */
export function quoteOf(
  { examples }: Aspect,
  sentiment: Sentiment,
): Aspect['examples'][number] | undefined {
  const ofSide = examples.filter((example) => example.sentiment === sentiment);
  return ofSide.find(({ quote }) => quote.length >= MIN_QUOTE_LENGTH) ?? ofSide[0];
}

/**
 * Returns the clearest praise in some reviews that makes sense alone; among equals the first.
 *
 * @param reviewIds reviews that are not negative as a whole
 */
export function praiseIn(
  reviewIds: readonly string[],
  labels: Readonly<Record<string, PerReview>>,
): { text: string; review_id: string } | undefined {
  let clearest: { text: string; review_id: string } | undefined;
  let highest = 0;
  for (const review_id of reviewIds) {
    for (const { quote, score } of labels[review_id]!.aspects) {
      if (quote === null || quote.length < MIN_QUOTE_LENGTH || score <= highest) continue;
      clearest = { text: quote, review_id };
      highest = score;
    }
  }
  return clearest;
}
