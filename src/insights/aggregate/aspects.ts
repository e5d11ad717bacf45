import { percentageOrNull } from '../../dataset/round.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { countSides, netShare } from './counts.ts';
import { topPhrases, type SidedPhrase } from './phrases.ts';
import { bothSides, isPresentable, quotables, type Quotable } from './quotes.ts';

type Aspect = InsightsDataset['aspects'][number];

const PHRASES = 8;
const EXAMPLES = 6;

/**
 * Counts the mentions of each aspect, in the order of the taxonomy; aspects without mentions count
 * zero. Only quotes that say their side alone are examples; there may be none.
 *
 * @param reviews newest first
 */
export function aspects(
  taxonomy: readonly { id: string; label: string }[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  phrases: readonly SidedPhrase[],
): Aspect[] {
  const byAspect = Map.groupBy(phrases, ({ aspect }) => aspect);
  const sentiments = new Map(taxonomy.map(({ id }) => [id, [] as Sentiment[]]));
  const quotes = new Map(taxonomy.map(({ id }) => [id, [] as Quotable[]]));
  for (const review of reviews) {
    const labels = perReview[review.id]!.aspects;
    const sharing = Map.groupBy(labels, ({ quote }) => quote);
    for (const label of labels) {
      sentiments.get(label.id)!.push(label.sentiment);
      if (!label.alone) continue;
      for (const quote of quotables(review, [label]).filter(isPresentable)) {
        quotes.get(label.id)!.push({ ...quote, aspects: sharing.get(label.quote)!.length });
      }
    }
  }
  return taxonomy.map(({ id, label }) => {
    const said = sentiments.get(id)!;
    const counts = countSides(said);
    const of = (side: Sentiment) =>
      (byAspect.get(id) ?? []).filter(({ sentiment }) => sentiment === side);
    const examples = bothSides(quotes.get(id)!, EXAMPLES, reviews[0]?.date).map(
      ({ review, text, sentiment }) => ({ review_id: review.id, quote: text, sentiment }),
    );
    return {
      id,
      label,
      mention_count: said.length,
      positive_count: counts.positive,
      neutral_count: counts.neutral,
      negative_count: counts.negative,
      positive_pct: percentageOrNull(counts.positive, said.length),
      score: netShare(counts, said.length),
      top_phrases: topPhrases(of('positive'), PHRASES),
      negative_phrases: topPhrases(of('negative'), PHRASES),
      example_review_ids: examples.map(({ review_id }) => review_id),
      examples,
    };
  });
}
