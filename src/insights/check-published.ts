import { computeRating } from '../dataset/aggregate.ts';
import { serializeLabels } from '../dataset/labels.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { InsightsInputs } from '../schema/insights-inputs.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import { withheldFew } from './aggregate/coverage.ts';
import { countInsights, ENGINE_VERSION } from './aggregate/insights.ts';
import { PolarityModel } from './analyze/polarity-model.ts';
import { ReviewReader } from './analyze/review-reader.ts';
import { smallWords } from './analyze/strangers.ts';
import { annotateReadings } from './annotations.ts';
import { differences } from './differences.ts';

/** The published documents that can be derived, and those that they are derived from. */
interface PublishedDocuments {
  dataset: ReviewsDataset;
  insights: InsightsDataset;
  inputs: InsightsInputs;
  /** The text of review-labels.json. */
  labels: string;
}

/** Number of reviews that are read between two reports of progress. */
const STEP = 200;

/**
 * Reads every published review again, derives all that is published about the reviews and compares
 * it. Yields the number of reviews read so far, so that the caller can report it or rest.
 *
 * @returns a sentence for each difference, with its path
 */
export function* checkPublished(documents: PublishedDocuments): Generator<number, string[]> {
  const { dataset, insights, inputs, labels } = documents;
  const { reviews } = dataset;
  if (insights.method.engine_version !== ENGINE_VERSION) {
    return [
      `method.engine_version: is ${insights.method.engine_version}; this program has ` +
        `${ENGINE_VERSION} and cannot repeat its reading`,
    ];
  }
  const { vocabulary, weights, annotations } = inputs;
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights), smallWords(reviews));
  const readings = new Map<string, PerReview>();
  for (const [at, review] of reviews.entries()) {
    if (at % STEP === 0) yield at;
    readings.set(review.id, reader.read(review));
  }
  yield reviews.length;
  const annotated = annotateReadings(readings, reviews, annotations, vocabulary);
  const told = withheldFew(annotated.readings, reviews);
  const derived = countInsights(dataset, told, inputs);
  const isSame = labels === serializeLabels(derived, reviews);
  return [
    ...differences(dataset.aggregate_rating, computeRating(reviews), 'aggregate_rating'),
    ...differences(dataset.coverage.published, reviews.length, 'coverage.published'),
    ...differences(insights, derived),
    ...(isSame ? [] : ['review-labels.json: is not what the insights say']),
  ];
}

/** Runs {@link checkPublished} to its end. */
export function verifyDeep(documents: PublishedDocuments): string[] {
  const steps = checkPublished(documents);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Counts the figures, names and quotes of a document: all that is not an object or a list. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + countValues(child), 0);
}
