import { z } from 'zod';
import { aggregateRating, coverage, datasetId, type ReviewsDataset } from '../schema/dataset.ts';
import { count, instant, webUrl } from '../schema/primitives.ts';
import { shortened } from '../schema/review-parts.ts';
import { review, type Review } from '../schema/review.ts';
import { monthsOf, ratingOf } from '../dataset/aggregate.ts';
import { newestCritical } from '../dataset/highlights.ts';
import { monthRating } from './history.ts';
import { documentResource, json } from './resource.ts';

const MONTHS = 12;
/** Letters of a review. */
const EXCERPT = 200;

const brief = review
  .pick({ url: true, date: true, rating: true, author: true, source: true, language: true })
  .extend({
    excerpt: z
      .string()
      .nullable()
      .describe('The beginning of its text, or of its praise and its criticism.'),
    criticism_at: count
      .optional()
      .describe('The position in excerpt at which the criticism begins, as in a review.'),
  })
  .meta({ title: 'Review in brief', description: 'A review, shortened.' });

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
    newest: brief.nullable().describe('The newest review; null without reviews.'),
    newest_critical: brief.nullable().describe('The newest of one or two stars; null if none has.'),
  })
  .meta({ title: 'Summary', description: 'The rating in brief.' });
export type SummaryDocument = z.infer<typeof summaryDocument>;

export const SUMMARY = documentResource({
  id: 'getSummary',
  path: '/summary.json',
  tag: 'Reviews',
  title: 'The rating in brief',
  description:
    'Rating, distribution, coverage and the last twelve months in 3 KB, for badges and dashboards.',
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
    newest: inBrief(reviews[0]),
    newest_critical: inBrief(newestCritical(reviews)),
  };
}

function inBrief(review: Review | undefined): SummaryDocument['newest'] {
  if (!review) return null;
  const { url, date, rating, author, source, language } = review;
  const { text: excerpt = null, ...parts } = shortened(review, EXCERPT);
  return { url, date, rating, author, source, language, excerpt, ...parts };
}
