import { z } from 'zod';
import { aggregateRating, coverage, datasetId, type ReviewsDataset } from '../schema/dataset.ts';
import { instant, webUrl } from '../schema/primitives.ts';
import { monthRating, monthsOf, ratingOf } from './history.ts';
import { documentResource, json } from './resource.ts';

const MONTHS = 12;

const summaryDocument = z
  .strictObject({
    edition: datasetId,
    updated_at: instant.describe('The newest change of any published review.'),
    name: z.string().describe('Of the business.'),
    url: webUrl.describe('The site with all reviews.'),
    aggregate_rating: aggregateRating.omit({ by_source: true }),
    coverage,
    months: z
      .array(monthRating)
      .describe('The twelve months up to that of the newest review, oldest first.'),
  })
  .meta({ title: 'Summary', description: 'The rating in brief.' });
export type SummaryDocument = z.infer<typeof summaryDocument>;

export const SUMMARY = documentResource({
  id: 'getSummary',
  path: '/summary.json',
  tag: 'Reviews',
  title: 'The rating in brief',
  description:
    'Rating, distribution, coverage and the last twelve months in 2 KB, for badges and dashboards.',
  schemas: { summary: summaryDocument },
  build: ({ dataset }) => json(summaryOf(dataset)),
  example: 'Abridged',
});

function summaryOf(dataset: ReviewsDataset): SummaryDocument {
  const { edition, updated_at, business, coverage, reviews } = dataset;
  const { by_source: _, ...aggregate_rating } = dataset.aggregate_rating;
  return {
    edition,
    updated_at,
    name: business.name,
    url: business.reviews_url,
    aggregate_rating,
    coverage,
    months: monthsOf(reviews)
      .slice(-MONTHS)
      .map(({ month, reviews }) => ({ month, ...ratingOf(reviews) })),
  };
}
