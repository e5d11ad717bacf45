import { meanOrNull, percentageOrNull } from '../../dataset/round.ts';
import type { InsightsDataset, PerReview } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import type { TopicTerms } from '../../schema/vocabulary.ts';
import { topPhrases } from './top-phrases.ts';
import type { ReadPhrase } from '../analyze/review-reader.ts';

const PHRASES = 5;
const EXAMPLES = 5;

/**
 * Counts the reviews on each topic, and picks the most frequent phrases of the same sentences.
 *
 * @param reviews newest first
 */
export function topics(
  curated: readonly TopicTerms[],
  reviews: readonly Review[],
  perReview: Readonly<Record<string, PerReview>>,
  phrasesOf: (reviewId: string) => readonly ReadPhrase[],
): InsightsDataset['topics'] {
  return curated.map(({ id, label, aspect_ids }) => {
    const about = reviews.filter((review) => perReview[review.id]!.topics.includes(id));
    const stars = about.reduce((sum, { rating }) => sum + rating, 0);
    const phrases = about.flatMap((review) => {
      const said = phrasesOf(review.id).filter(
        ({ aspect, topics: beside }) =>
          beside.includes(id) && (aspect_ids.length === 0 || aspect_ids.includes(aspect)),
      );
      return [...new Map(said.map((phrase) => [phrase.key, phrase])).values()];
    });
    return {
      id,
      label,
      review_count: about.length,
      share_pct: percentageOrNull(about.length, reviews.length) ?? 0,
      average_rating: meanOrNull(stars, about.length),
      aspect_ids,
      top_phrases: topPhrases(phrases, PHRASES),
      example_review_ids: about.slice(0, EXAMPLES).map((review) => review.id),
    };
  });
}
