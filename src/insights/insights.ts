import { createHash } from 'node:crypto';
import { percentageOrNull, round } from '../dataset/round.ts';
import type { Coverage } from '../schema/dataset.ts';
import { SCHEMA_VERSION } from '../schema/dataset.ts';
import type { FaqEntry } from '../schema/faq.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../schema/insights.ts';
import type { Review, ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { entities } from './entities.ts';
import { answerFaq } from './faq.ts';
import { MentionFinder } from './mention-finder.ts';
import { starScore, starSentiment } from './star-sentiment.ts';
import { temporal } from './temporal.ts';

const ENGINE = 'local-rules';
const ENGINE_VERSION = '1.0.0';

/** What each review says, by id. The order of the records does not matter. */
export function labelReviews(
  records: readonly ReviewRecord[],
  vocabulary: Vocabulary,
): Record<string, PerReview> {
  const finder = new MentionFinder(vocabulary);
  return Object.fromEntries(
    records.map((record) => {
      const words = [record.title, record.text].filter((part) => part != null).join('\n');
      const labels: PerReview = {
        content_hash: createHash('sha256').update(words).digest('hex').slice(0, 16),
        source: ENGINE,
        sentiment: starSentiment(record.rating),
        score: starScore(record.rating),
        aspects: [],
        ...finder.find(words),
        topics: [],
      };
      return [record.id, labels];
    }),
  );
}

export interface InsightsInput {
  edition: string;
  updatedAt: string;
  /** Published, newest first. */
  reviews: readonly Review[];
  perReview: Record<string, PerReview>;
  coverage: Coverage;
  vocabulary: Vocabulary;
  faq: readonly FaqEntry[];
  summary: string | null;
}

/** Assembles insights.json; every count in it can be recounted from `per_review`. */
export function buildInsights(input: InsightsInput): InsightsDataset {
  const { reviews, perReview, vocabulary } = input;
  const technicians = vocabulary.technicians.map(({ id, name }) => ({ id, label: name }));
  return {
    version: ENGINE_VERSION,
    schema_version: SCHEMA_VERSION,
    edition: input.edition,
    generated_at: input.updatedAt,
    model: `${ENGINE}/${ENGINE_VERSION}`,
    method: {
      engine: ENGINE,
      engine_version: ENGINE_VERSION,
      taxonomy_version: vocabulary.lexicon.version,
      lexicon_sha256: createHash('sha256').update(JSON.stringify(vocabulary.lexicon)).digest('hex'),
      annotated_reviews: 0,
      languages: [...new Set(reviews.map(({ language }) => language))].sort(),
    },
    review_count: reviews.length,
    date_range: { earliest: input.coverage.earliest, latest: input.coverage.latest },
    overall_sentiment: overallSentiment(reviews),
    aspects: [],
    entities: {
      technicians: entities('technicians', technicians, reviews, perReview).map((entity) => ({
        ...entity,
        aspects: [],
      })),
      services: entities('services', vocabulary.services, reviews, perReview),
      problems: entities('problems', vocabulary.problems, reviews, perReview),
      service_areas: entities('service_areas', vocabulary.service_areas, reviews, perReview),
    },
    topics: [],
    temporal: temporal(reviews),
    per_review: Object.fromEntries(reviews.map(({ id }) => [id, perReview[id]!])),
    faq: answerFaq(input.faq, reviews, perReview),
    summary: input.summary,
    pull_quote: null,
  };
}

function overallSentiment(reviews: readonly Review[]): InsightsDataset['overall_sentiment'] {
  const counts: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0 };
  let sum = 0;
  for (const { rating } of reviews) {
    counts[starSentiment(rating)]++;
    sum += starScore(rating);
  }
  const share = (sentiment: Sentiment) => percentageOrNull(counts[sentiment], reviews.length) ?? 0;
  return {
    score: reviews.length === 0 ? 0 : round(sum / reviews.length, 3),
    positive_pct: share('positive'),
    neutral_pct: share('neutral'),
    negative_pct: share('negative'),
    basis: 'stars',
  };
}
