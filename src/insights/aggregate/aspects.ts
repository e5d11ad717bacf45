import { percentageOrNull } from '../../base/round.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { isSameMatter } from '../analyze/phrase-key.ts';
import { ENGINE } from '../analyze/review-reader.ts';
import type { AspectTerms } from '../../schema/vocabulary.ts';
import { countAmong } from './coverage.ts';
import { countSides, netShare } from './counts.ts';
import { topPhrases, type SidedPhrase } from './phrases.ts';
import { bothSides, isPresentable, quotables } from './quotes.ts';

type Aspect = InsightsDataset['aspects'][number];

const PHRASES = 8;
const EXAMPLES = 6;

/**
 * Counts the mentions of each aspect, in the order of the taxonomy; aspects without mentions count
 * zero. Examples are quotes that say their side alone, with a phrase that is listed, or that
 * an annotation gives; there may be none.
 *
 * @param reviews newest first
 * @param phrases of each review
 */
export function aspects(
  taxonomy: readonly AspectTerms[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  phrases: ReadonlyMap<string, readonly SidedPhrase[]>,
  coverage: InsightsDataset['coverage'],
): Aspect[] {
  const byAspect = Map.groupBy([...phrases.values()].flat(), ({ aspect }) => aspect);
  const labels = Map.groupBy(
    reviews.flatMap((review) => {
      const { aspects, quoted, source } = perReview[review.id]!;
      const own = quoted ?? aspects;
      const isOwn = quoted !== undefined || source === ENGINE;
      return own.map((label) => ({ review, label, own, isOwn, isCounted: !quoted }));
    }),
    ({ label }) => label.id,
  );
  return taxonomy.map((entry) => {
    const { id, label } = entry;
    const all = labels.get(id) ?? [];
    const labeled = all.filter(({ isCounted }) => isCounted);
    const counts = countSides(labeled.map(({ label }) => label.sentiment));
    const listed = (side: Sentiment) =>
      topPhrases(
        (byAspect.get(id) ?? []).filter(({ sentiment }) => sentiment === side),
        PHRASES,
      );
    const [praise, criticism] = [listed('positive'), listed('negative')];
    const listedKeys = [...praise, ...criticism].map(({ key }) => key);
    const isListed = ({ key }: SidedPhrase) => listedKeys.some((other) => isSameMatter(other, key));
    const quotes = all.flatMap(({ review, label, own, isOwn }) => {
      const holdsListed = phrases
        .get(review.id)!
        .some((own) => own.aspect === id && label.quote?.includes(own.text) && isListed(own));
      if (!label.alone || (isOwn && !holdsListed)) return [];
      const sharing = own.filter(({ quote }) => quote === label.quote);
      return quotables(review, [label]).map((quote) => ({ ...quote, aspects: sharing.length }));
    });
    const examples = bothSides(quotes.filter(isPresentable), EXAMPLES, reviews[0]?.date).map(
      ({ review, text, sentiment }) => ({ review_id: review.id, quote: text, sentiment }),
    );
    return {
      id,
      label,
      among_count: countAmong(entry, coverage),
      mention_count: labeled.length,
      positive_count: counts.positive,
      neutral_count: counts.neutral,
      negative_count: counts.negative,
      quoted_count: all.length - labeled.length,
      positive_pct: percentageOrNull(counts.positive, labeled.length),
      score: netShare(counts, labeled.length),
      top_phrases: praise.map(({ text }) => text),
      negative_phrases: criticism.map(({ text }) => text),
      example_review_ids: examples.map(({ review_id }) => review_id),
      examples,
    };
  });
}
