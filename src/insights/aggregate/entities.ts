import { meanOrNull, percentageOrNull, round } from '../../dataset/round.ts';
import type { Entity, InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { keyOf, topPhrases, type SidedPhrase } from './phrases.ts';

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
    score: reviews.length === 0 ? null : round(sumOfScores(counts) / reviews.length, 3),
    average_rating: meanOrNull(stars, reviews.length),
    first_mentioned: reviews.at(-1)?.date ?? null,
    last_mentioned: reviews[0]?.date ?? null,
    review_ids: reviews.map(({ id }) => id),
  };
}

function sumOfScores({ positive, negative }: Tally['counts']): number {
  return positive - negative;
}

type TechnicianAspects = InsightsDataset['entities']['technicians'][number]['aspects'];

/** Counts the aspects in the reviews that mention a technician, most frequent first. */
export function technicianAspects(
  { review_ids }: Pick<Entity, 'review_ids'>,
  perReview: Readonly<Record<string, PerReview>>,
): TechnicianAspects {
  const tallies = new Map<string, { count: number; sum: number }>();
  for (const reviewId of review_ids) {
    for (const { id, score } of perReview[reviewId]!.aspects) {
      const tally = tallies.get(id) ?? { count: 0, sum: 0 };
      tallies.set(id, { count: tally.count + 1, sum: tally.sum + score });
    }
  }
  return [...tallies]
    .map(([id, { count, sum }]) => ({ id, mention_count: count, score: round(sum / count, 3) }))
    .sort((a, b) => b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1));
}

const PHRASES = 5;
const EXAMPLES = 5;

/**
 * Counts the reviews on each topic, and picks the most frequent phrases of the same sentences.
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
      const here = phrases
        .get(review.id)!
        .filter(
          ({ aspect, topics: beside }) =>
            beside.includes(id) && (aspect_ids.length === 0 || aspect_ids.includes(aspect)),
        );
      return [...new Map(here.map((phrase) => [keyOf(phrase.text), phrase])).values()];
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
