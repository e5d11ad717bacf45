import { meanOrNull, percentageOrNull } from '../../dataset/round.ts';
import type { Entity, InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { countSides, netShare } from './counts.ts';
import { topPhrases, type SidedPhrase } from './phrases.ts';
import { bothSides, quotables } from './quotes.ts';

type Kind = 'technicians' | 'services' | 'problems' | 'service_areas';

interface Tally {
  counts: { positive: number; neutral: number; negative: number };
  stars: number;
  reviews: Review[];
}

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
  const tallies = new Map(entries.map(({ id }) => [id, emptyTally()]));
  for (const review of reviews) {
    for (const id of perReview[review.id]![kind]) {
      const tally = tallies.get(id)!;
      tally.counts[perReview[review.id]!.sentiment]++;
      tally.stars += review.rating;
      tally.reviews.push(review);
    }
  }
  return entries.map(({ id, label }) => entity(id, label, tallies.get(id)!));
}

function emptyTally(): Tally {
  return { counts: { positive: 0, neutral: 0, negative: 0 }, stars: 0, reviews: [] };
}

function entity(id: string, label: string, { counts, stars, reviews }: Tally): Entity {
  return {
    id,
    label,
    mention_count: reviews.length,
    positive_count: counts.positive,
    neutral_count: counts.neutral,
    negative_count: counts.negative,
    score: netShare(counts, reviews.length),
    average_rating: meanOrNull(stars, reviews.length),
    first_mentioned: reviews.at(-1)?.date ?? null,
    last_mentioned: reviews[0]?.date ?? null,
    review_ids: reviews.map(({ id }) => id),
  };
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
  const opinions = new Map(entries.map(({ id }) => [id, [] as OpinionOf[]]));
  for (const review of reviews) {
    for (const opinion of perReview[review.id]!.technician_opinions) {
      opinions.get(opinion.id)?.push({ review, opinion });
    }
  }
  return entities('technicians', entries, reviews, perReview).map((entity) => {
    const own = opinions.get(entity.id)!;
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

interface OpinionOf {
  review: Review;
  opinion: PersonOpinion;
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
  curated: readonly { id: string; label: string; aspect_ids: string[] }[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  phrases: ReadonlyMap<string, readonly SidedPhrase[]>,
): InsightsDataset['topics'] {
  const byTopic = new Map(curated.map(({ id }) => [id, [] as Review[]]));
  for (const review of reviews) {
    for (const id of perReview[review.id]!.topics) byTopic.get(id)?.push(review);
  }
  return curated.map(({ id, label, aspect_ids }) => {
    const about = byTopic.get(id)!;
    const stars = about.reduce((sum, { rating }) => sum + rating, 0);
    const said = about.flatMap((review) => {
      const here = phrases.get(review.id)!.filter(({ topics: named }) => named.includes(id));
      return [...new Map(here.map((phrase) => [phrase.key, phrase])).values()];
    });
    const of = (side: Sentiment) =>
      topPhrases(
        said.filter(({ sentiment }) => sentiment === side),
        PHRASES,
      );
    return {
      id,
      label,
      review_count: about.length,
      share_pct: percentageOrNull(about.length, reviews.length) ?? 0,
      average_rating: meanOrNull(stars, about.length),
      aspect_ids,
      top_phrases: topPhrases(said, PHRASES),
      positive_phrases: of('positive'),
      negative_phrases: of('negative'),
      example_review_ids: about.slice(0, EXAMPLES).map((review) => review.id),
    };
  });
}
