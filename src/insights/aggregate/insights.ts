import { percentageOrNull } from '../../dataset/round.ts';
import type { ReviewsDataset } from '../../schema/dataset.ts';
import type { FaqEntry } from '../../schema/faq.ts';
import type { InsightsInputs } from '../../schema/insights-inputs.ts';
import type { InsightsDataset, PerReview, Sentiment } from '../../schema/insights.ts';
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
export const ENGINE_VERSION = '2.13.0';

interface Entry {
  id: string;
  label: string;
}

/** The names of what is counted, in the order of the vocabulary. */
export interface Catalog {
  aspects: readonly Entry[];
  technicians: readonly Entry[];
  services: readonly Entry[];
  service_areas: readonly Entry[];
  problems: readonly Entry[];
  topics: readonly (Entry & { aspect_ids: string[] })[];
}

/** Everything that insights.json is counted from. */
export interface Counted {
  dataset: Pick<
    ReviewsDataset,
    'schema_version' | 'edition' | 'updated_at' | 'aggregate_rating' | 'coverage'
  > & {
    /** Published, newest first. */
    reviews: readonly Review[];
  };
  /** The labels of every review, by id. */
  labels: Readonly<Record<string, PerReview>>;
  catalog: Catalog;
  faq: readonly FaqEntry[];
  summary: string | null;
  method: Omit<InsightsDataset['method'], 'annotated_reviews'>;
}

/**
 * Counts insights.json from the labels of the reviews. The build calls this with what it read, and
 * `verify` with what is published.
 *
 * @throws {UnknownPlaceholderError} if the summary names a value that does not exist
 */
export function countInsights(input: Counted): InsightsDataset {
  const { dataset, labels, catalog, method } = input;
  const { reviews, coverage } = dataset;
  const perReview = Object.fromEntries(reviews.map(({ id }) => [id, labels[id]!]));
  const phrases = sidedPhrases(reviews, perReview);
  const annotated = reviews.filter(({ id }) => perReview[id]!.source !== method.engine).length;
  const counted = {
    aspects: aspects(catalog.aspects, reviews, perReview, phrases),
    entities: {
      technicians: technicians(catalog.technicians, reviews, perReview),
      services: entities('services', catalog.services, reviews, perReview),
      problems: entities('problems', catalog.problems, reviews, perReview),
      service_areas: entities('service_areas', catalog.service_areas, reviews, perReview),
    },
    topics: topics(catalog.topics, reviews, perReview, phrases),
    temporal: computeTemporal(reviews),
  };
  return {
    version: method.engine_version,
    schema_version: dataset.schema_version,
    edition: dataset.edition,
    generated_at: dataset.updated_at,
    model: `${annotated > 0 ? 'mixed: ' : ''}${method.engine}/${method.engine_version}`,
    method: { ...method, annotated_reviews: annotated },
    review_count: reviews.length,
    date_range: { earliest: coverage.earliest, latest: coverage.latest },
    coverage: countCoverage(reviews, perReview),
    overall_sentiment: overallSentiment(reviews),
    ...counted,
    per_review: perReview,
    faq: answerFaq(input.faq, reviews, perReview, counted.aspects),
    summary:
      input.summary === null
        ? null
        : fillSummary(input.summary, summaryValues(counted, dataset.aggregate_rating, coverage)),
    summary_template: input.summary,
    pull_quote: pullQuote(reviews, perReview),
  };
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
export function describeMethod(inputs: InsightsInputs): Counted['method'] {
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
