import { percentageOrNull } from '../../base/round.ts';
import { ratingOf } from '../../dataset/aggregate.ts';
import type { Entity, InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import type { TopicTerms } from '../../schema/vocabulary.ts';
import { countAmong } from './coverage.ts';
import { countSides, netShare } from './counts.ts';
import { topPhrases, type SidedPhrase } from './phrases.ts';
import { bothSides, quotables } from './quotes.ts';

type Kind = 'technicians' | 'services' | 'problems' | 'service_areas';

/**
 * Counts the mentions of each entry of the vocabulary, in its order; entries without mentions count
 * zero.
 *
 * @param reviews newest first
 */
export function entities(
  kind: Kind,
  entries: readonly { id: string; label: string }[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): Entity[] {
  return entries.map(({ id, label }) => {
    const about = reviews.filter((review) => perReview[review.id]![kind].includes(id));
    const counts = countSides(about.map((review) => perReview[review.id]!.sentiment));
    return {
      id,
      label,
      mention_count: about.length,
      positive_count: counts.positive,
      neutral_count: counts.neutral,
      negative_count: counts.negative,
      score: netShare(counts, about.length),
      average_rating: ratingOf(about).rating_value,
      first_mentioned: about.at(-1)?.date ?? null,
      last_mentioned: about[0]?.date ?? null,
      review_ids: about.map((review) => review.id),
    };
  });
}

/** Fewer opinions of a person make no score. */
const MIN_OPINIONS = 5;
const QUOTES = 6;

type Technician = InsightsDataset['entities']['technicians'][number];
type PersonOpinion = PerReview['technician_opinions'][number];

/**
 * Counts the reviews that mention each technician, and the opinions of that person: only those of
 * clauses about the person. What a review says of the rest of the job praises and blames nobody.
 *
 * @param reviews newest first
 */
export function technicians(
  entries: readonly { id: string; label: string }[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
): Technician[] {
  return entities('technicians', entries, reviews, perReview).map((entity) => {
    const own = reviews.flatMap((review) =>
      perReview[review.id]!.technician_opinions.filter(({ id }) => id === entity.id).map(
        (opinion) => ({ review, opinion }),
      ),
    );
    const counts = countSides(own.map(({ opinion }) => opinion.sentiment));
    return {
      ...entity,
      positive_count: counts.positive,
      neutral_count: entity.mention_count - counts.positive - counts.negative,
      negative_count: counts.negative,
      opinion_count: own.length,
      score: own.length < MIN_OPINIONS ? null : netShare(counts, own.length),
      aspects: aspectsOf(own.map(({ opinion }) => opinion)),
      quotes: bothSides(
        own.flatMap(({ review, opinion }) =>
          quotables(review, [opinion]).map((quote) => ({
            ...quote,
            aspects: opinion.aspects.length,
          })),
        ),
        QUOTES,
        reviews[0]?.date,
      ).map(({ review, text, sentiment }) => ({ review_id: review.id, quote: text, sentiment })),
    };
  });
}

function aspectsOf(opinions: readonly PersonOpinion[]): Technician['aspects'] {
  const sides = Map.groupBy(
    opinions.flatMap(({ aspects }) => aspects),
    ({ id }) => id,
  );
  return [...sides]
    .map(([id, labels]) => {
      const counts = countSides(labels.map(({ sentiment }) => sentiment));
      return {
        id,
        mention_count: labels.length,
        positive_count: counts.positive,
        negative_count: counts.negative,
        score: labels.length < MIN_OPINIONS ? null : netShare(counts, labels.length),
      };
    })
    .sort((a, b) => b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1));
}

const PHRASES = 5;
const EXAMPLES = 5;

/**
 * Counts the reviews on each topic, and picks the most frequent phrases that name it.
 *
 * @param reviews newest first
 */
export function topics(
  curated: readonly TopicTerms[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  phrases: ReadonlyMap<string, readonly SidedPhrase[]>,
  coverage: InsightsDataset['coverage'],
): InsightsDataset['topics'] {
  return curated.map((topic) => {
    const { id, label, aspect_ids } = topic;
    const among_count = countAmong(topic, coverage);
    const about = reviews.filter((review) => perReview[review.id]!.topics.includes(id));
    const said = about.flatMap((review) => {
      const here = phrases.get(review.id)!.filter(({ topics: named }) => named.includes(id));
      return [...new Map(here.map((phrase) => [phrase.key, phrase])).values()];
    });
    const topOf = (of: readonly SidedPhrase[]) => topPhrases(of, PHRASES).map(({ text }) => text);
    const topOn = (side: Sentiment) => topOf(said.filter(({ sentiment }) => sentiment === side));
    return {
      id,
      label,
      among_count,
      review_count: about.length,
      share_pct: percentageOrNull(about.length, among_count) ?? 0,
      average_rating: ratingOf(about).rating_value,
      aspect_ids,
      top_phrases: topOf(said),
      positive_phrases: topOn('positive'),
      negative_phrases: topOn('negative'),
      example_review_ids: about.slice(0, EXAMPLES).map((review) => review.id),
    };
  });
}
