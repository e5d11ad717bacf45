import { percentageOrNull, round } from '../../dataset/round.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { topPhrases, type SidedPhrase } from './phrases.ts';

type Aspect = InsightsDataset['aspects'][number];

/** A review's label for an aspect, with the review's id. */
interface Mention {
  id: string;
  label: PerReview['aspects'][number];
}

const PHRASES = 8;
const EXAMPLES = 6;

/**
 * Counts the mentions of each aspect, in the order of the taxonomy; aspects without mentions count
 * zero.
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
  const mentions = Map.groupBy(
    reviews.flatMap(({ id }) => perReview[id]!.aspects.map((label): Mention => ({ id, label }))),
    ({ label }) => label.id,
  );
  return taxonomy.map(({ id, label }) =>
    aspect(id, label, mentions.get(id) ?? [], byAspect.get(id) ?? []),
  );
}

function aspect(
  id: string,
  label: string,
  mentions: readonly Mention[],
  phrases: readonly SidedPhrase[],
): Aspect {
  const count = (sentiment: Sentiment) =>
    mentions.filter((mention) => mention.label.sentiment === sentiment).length;
  const of = (sentiment: Sentiment) => phrases.filter((phrase) => phrase.sentiment === sentiment);
  const sum = mentions.reduce((total, mention) => total + mention.label.score, 0);
  const examples = pickExamples(mentions);
  return {
    id,
    label,
    mention_count: mentions.length,
    positive_count: count('positive'),
    neutral_count: count('neutral'),
    negative_count: count('negative'),
    positive_pct: percentageOrNull(count('positive'), mentions.length),
    score: mentions.length === 0 ? null : round(sum / mentions.length, 3),
    top_phrases: topPhrases(of('positive'), PHRASES),
    negative_phrases: topPhrases(of('negative'), PHRASES),
    example_review_ids: examples.map(({ review_id }) => review_id),
    examples,
  };
}

/** Picks the clearest quotes of both sides, in proportion to their mentions. */
function pickExamples(mentions: readonly Mention[]): Aspect['examples'] {
  const quoted = mentions.filter(({ label }) => label.quote !== null);
  const clearest = (sentiment: Sentiment) =>
    quoted
      .filter(({ label }) => label.sentiment === sentiment)
      .sort((a, b) => Math.abs(b.label.score) - Math.abs(a.label.score) || (a.id < b.id ? 1 : -1));
  const positive = clearest('positive');
  const negative = clearest('negative');
  const share = positive.length / Math.max(1, positive.length + negative.length);
  const forPositive = Math.min(positive.length, Math.max(1, Math.round(share * EXAMPLES)));
  return [...positive.slice(0, forPositive), ...negative.slice(0, EXAMPLES - forPositive)].map(
    ({ id, label }) => ({ review_id: id, quote: label.quote!, sentiment: label.sentiment }),
  );
}
