import { percentageOrNull } from '../../base/round.ts';
import type { ReviewsDataset } from '../../schema/dataset.ts';
import type { InsightsInputs } from '../../schema/insights-inputs.ts';
import {
  STARS,
  type InsightsDataset,
  type PerReview,
  type Sentiment,
} from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { starSentiment } from '../analyze/polarity.ts';
import { ENGINE, hash } from '../analyze/review-reader.ts';
import { aspects } from './aspects.ts';
import { countSides, netShare } from './counts.ts';
import { countCoverage } from './coverage.ts';
import { entities, technicians, topics } from './entities.ts';
import { answerFaq } from './faq.ts';
import { sidedPhrases } from './phrases.ts';
import { pullQuote } from './quotes.ts';
import { fillSummary, summaryValues } from './summary.ts';
import { computeTemporal } from './temporal.ts';

/** Changes when the engine would label or count the same reviews differently. */
export const ENGINE_VERSION = '2.18.0';

/** The published dataset that insights.json is counted from; the reviews newest first. */
type CountedDataset = Pick<
  ReviewsDataset,
  'schema_version' | 'edition' | 'updated_at' | 'aggregate_rating' | 'coverage' | 'reviews'
>;

/**
 * Counts insights.json from the readings of the reviews, by id. Passages that no question asks for are
 * left out.
 *
 * @throws {UnknownPlaceholderError} if the summary names a value that does not exist
 */
export function countInsights(
  dataset: CountedDataset,
  readings: ReadonlyMap<string, PerReview>,
  inputs: InsightsInputs,
): InsightsDataset {
  const { reviews, coverage } = dataset;
  const { faq, summary, vocabulary } = inputs;
  const perReview = Object.fromEntries(
    reviews.map(({ id }) => [id, withAskedPassages(readings.get(id)!, faq)]),
  );
  const phrases = sidedPhrases(reviews, perReview);
  const method = describeMethod(inputs);
  const own = new Set([ENGINE, STARS]);
  const annotated = reviews.filter(({ id }) => !own.has(perReview[id]!.source)).length;
  const read = countCoverage(reviews, perReview);
  const people = vocabulary.technicians.map(({ id, name }) => ({ id, label: name }));
  const counted = {
    aspects: aspects(vocabulary.aspects, reviews, perReview, phrases, read),
    entities: {
      technicians: technicians(people, reviews, perReview),
      services: entities('services', vocabulary.services, reviews, perReview),
      problems: entities('problems', vocabulary.problems, reviews, perReview),
      service_areas: entities('service_areas', vocabulary.service_areas, reviews, perReview),
    },
    topics: topics(vocabulary.topics, reviews, perReview, phrases, read),
    temporal: computeTemporal(reviews),
  };
  return {
    version: ENGINE_VERSION,
    schema_version: dataset.schema_version,
    edition: dataset.edition,
    generated_at: dataset.updated_at,
    model: `${annotated > 0 ? 'mixed: ' : ''}${ENGINE}/${ENGINE_VERSION}`,
    method: { ...method, annotated_reviews: annotated },
    review_count: reviews.length,
    date_range: { earliest: coverage.earliest, latest: coverage.latest },
    coverage: read,
    overall_sentiment: overallSentiment(reviews),
    ...counted,
    per_review: perReview,
    faq: answerFaq(faq, reviews, perReview, counted.aspects),
    summary:
      summary === null
        ? null
        : fillSummary(summary, summaryValues(counted, dataset.aggregate_rating, coverage)),
    summary_template: summary,
    pull_quote: pullQuote(reviews, perReview),
  };
}

function withAskedPassages(reading: PerReview, faq: InsightsInputs['faq']): PerReview {
  const passages = reading.passages.filter(({ kind, id }) =>
    faq.some(({ evidence }) => evidence[kind].includes(id)),
  );
  return { ...reading, passages };
}

function overallSentiment(reviews: readonly Review[]): InsightsDataset['overall_sentiment'] {
  const counts = countSides(reviews.map(({ rating }) => starSentiment(rating)));
  const share = (sentiment: Sentiment) => percentageOrNull(counts[sentiment], reviews.length) ?? 0;
  return {
    score: netShare(counts, reviews.length) ?? 0,
    positive_pct: share('positive'),
    neutral_pct: share('neutral'),
    negative_pct: share('negative'),
    basis: 'stars',
  };
}

/** States everything that labels depend on besides the reviews. */
export function describeMethod(
  inputs: InsightsInputs,
): Omit<InsightsDataset['method'], 'annotated_reviews'> {
  const { lexicon, ...lists } = inputs.vocabulary;
  const hashOf = (value: unknown) => hash(JSON.stringify(value));
  return {
    engine: ENGINE,
    engine_version: ENGINE_VERSION,
    taxonomy_version: hashOf(lists.aspects).slice(0, 16),
    lexicon_sha256: hashOf(lexicon),
    general_lexicon_sha256: hashOf(LANGUAGES.map(({ scores }) => scores)),
    polarity_weights_sha256: hash(inputs.weights),
    vocabulary_sha256: Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, hashOf(list)]),
    ),
    inputs_sha256: hashOf(inputs),
    languages: LANGUAGES.map(({ code }) => code),
  };
}
