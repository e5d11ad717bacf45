import type { Annotation } from '../schema/annotation.ts';
import type { InsightsInputs } from '../schema/insights-inputs.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';
import type { Review, ReviewRecord } from '../schema/review.ts';
import { countInsights, describeMethod, type Catalog, type Counted } from './aggregate/insights.ts';
import { PolarityModel } from './analyze/polarity-model.ts';
import { ReviewReader, type ReadableReview } from './analyze/review-reader.ts';
import { annotateReadings, type Annotated } from './annotations.ts';

/** Reads each review and returns the readings by id. The order of the reviews does not matter. */
export function readReviews(
  reviews: readonly (ReadableReview & { id: string })[],
  { vocabulary, weights }: Pick<InsightsInputs, 'vocabulary' | 'weights'>,
): ReadonlyMap<string, PerReview> {
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights));
  return new Map(reviews.map((review) => [review.id, reader.read(review)]));
}

/** Reads each review and applies the annotations. */
export function readAnnotated<T extends Annotation>(
  reviews: readonly (ReviewRecord | Review)[],
  inputs: Pick<InsightsInputs, 'vocabulary' | 'weights'>,
  annotations: readonly T[],
): Annotated<T> {
  const readings = readReviews(reviews, inputs);
  return annotateReadings(readings, reviews, annotations, inputs.vocabulary);
}

/** Assembles insights.json. Passages that no question asks for are left out. */
export function assemble(
  dataset: Counted['dataset'],
  readings: ReadonlyMap<string, PerReview>,
  inputs: InsightsInputs,
): InsightsDataset {
  const { vocabulary, faq, summary } = inputs;
  return countInsights({
    dataset,
    labels: Object.fromEntries(
      [...readings].map(([id, labels]) => [
        id,
        {
          ...labels,
          passages: labels.passages.filter(({ kind, id }) =>
            faq.some(({ evidence }) => evidence[kind].includes(id)),
          ),
        },
      ]),
    ),
    catalog: catalogOf(vocabulary),
    faq,
    summary,
    method: describeMethod(inputs),
  });
}

/** Derives insights.json from the published reviews and inputs alone; the build gets the same. */
export function derive(dataset: Counted['dataset'], inputs: InsightsInputs): InsightsDataset {
  const { readings } = readAnnotated(dataset.reviews, inputs, inputs.annotations);
  return assemble(dataset, readings, inputs);
}

function catalogOf({ technicians, ...lists }: InsightsInputs['vocabulary']): Catalog {
  return { ...lists, technicians: technicians.map(({ id, name }) => ({ id, label: name })) };
}
