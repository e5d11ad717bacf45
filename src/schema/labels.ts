import { z } from 'zod';
import { datasetId } from './dataset.ts';

const index = z.int().min(0);
const ids = z.array(z.string());

/** The labels of one review, as indexes into the lists of the document. */
const labelLine = z.tuple([
  index.describe('Sentiment.'),
  z
    .array(
      z.union([
        z.tuple([index, index]).describe('Aspect and its sentiment.'),
        z.tuple([index, index, index, index]).describe('The same and where text is quoted.'),
      ]),
    )
    .describe('Aspects.'),
  z.array(index).describe('Service areas.'),
  z.array(index).describe('Problems.'),
  z.array(index).describe('Topics.'),
  z
    .array(z.tuple([index, index]))
    .describe('Opinions of people: technician and sentiment about this person alone.'),
]);
export type LabelLine = z.infer<typeof labelLine>;

/**
 * The document at `/review-labels.json`: `per_review` of the insights as searches need it, one
 * review a line in the order of reviews.json. Technicians and services are in reviews.json.
 */
export const reviewLabels = z
  .strictObject({
    edition: datasetId,
    sentiments: ids,
    aspects: ids,
    service_areas: ids,
    problems: ids,
    topics: ids,
    technicians: ids,
    reviews: z.array(labelLine),
  })
  .meta({ title: 'Review labels' });
export type ReviewLabels = z.infer<typeof reviewLabels>;
