import { percentageOrNull, round } from '../../dataset/round.ts';
import { SCHEMA_VERSION, type ReviewsDataset } from '../../schema/dataset.ts';
import type { FaqEntry } from '../../schema/faq.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review, ReviewRecord } from '../../schema/review.ts';
import type { Vocabulary } from '../../schema/vocabulary.ts';
import { aspects } from './aspects.ts';
import { entities, technicianAspects } from './entities.ts';
import { answerFaq } from './faq.ts';
import { describeMethod, ENGINE_VERSION } from './method.ts';
import { pullQuote } from './quotes.ts';
import { ENGINE, ReviewReader, type Reading } from '../analyze/review-reader.ts';
import { starScore, starSentiment } from '../analyze/polarity.ts';
import { fillSummary, summaryValues } from './summary.ts';
import { temporal } from './temporal.ts';
import { topics } from './topics.ts';

/** Reads each review and returns the readings by id. The order of the records does not matter. */
export function readReviews(
  records: readonly ReviewRecord[],
  vocabulary: Vocabulary,
): ReadonlyMap<string, Reading> {
  const reader = new ReviewReader(vocabulary);
  return new Map(records.map((record) => [record.id, reader.read(record)]));
}

export interface InsightsInput {
  dataset: Pick<ReviewsDataset, 'edition' | 'updated_at' | 'aggregate_rating' | 'coverage'> & {
    /** Published, newest first. */
    reviews: readonly Review[];
  };
  readings: ReadonlyMap<string, Reading>;
  /** Number of reviews with a label that is not from the engine. */
  annotated: number;
  vocabulary: Vocabulary;
  faq: readonly FaqEntry[];
  summary: string | null;
}

/**
 * Assembles insights.json; every count in it can be recounted from `per_review`.
 *
 * @throws {UnknownPlaceholderError} if the summary names a value that does not exist
 */
export function buildInsights(input: InsightsInput): InsightsDataset {
  const { dataset, readings, vocabulary } = input;
  const { reviews, coverage } = dataset;
  const perReview: Record<string, PerReview> = {};
  for (const { id } of reviews) perReview[id] = readings.get(id)!.labels;
  const phrasesOf = (id: string) => readings.get(id)!.phrases;
  const phrases = reviews.flatMap(({ id }) => phrasesOf(id));
  const technicians = vocabulary.technicians.map(({ id, name }) => ({ id, label: name }));
  const counted = {
    aspects: aspects(vocabulary.aspects, reviews, perReview, phrases),
    entities: {
      technicians: entities('technicians', technicians, reviews, perReview).map((entity) => ({
        ...entity,
        aspects: technicianAspects(entity, perReview),
      })),
      services: entities('services', vocabulary.services, reviews, perReview),
      problems: entities('problems', vocabulary.problems, reviews, perReview),
      service_areas: entities('service_areas', vocabulary.service_areas, reviews, perReview),
    },
    topics: topics(vocabulary.topics, reviews, perReview, phrasesOf),
    temporal: temporal(reviews),
  };
  return {
    version: ENGINE_VERSION,
    schema_version: SCHEMA_VERSION,
    edition: dataset.edition,
    generated_at: dataset.updated_at,
    model: `${input.annotated > 0 ? 'mixed: ' : ''}${ENGINE}/${ENGINE_VERSION}`,
    method: describeMethod(vocabulary, input.annotated),
    review_count: reviews.length,
    date_range: { earliest: coverage.earliest, latest: coverage.latest },
    overall_sentiment: overallSentiment(reviews),
    ...counted,
    per_review: perReview,
    faq: answerFaq(input.faq, reviews, (id) => readings.get(id)!),
    summary:
      input.summary === null
        ? null
        : fillSummary(input.summary, summaryValues(counted, dataset.aggregate_rating, coverage)),
    pull_quote: pullQuote(reviews, perReview),
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
