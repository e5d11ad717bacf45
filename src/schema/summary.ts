import { z } from 'zod';
import { aggregateRating, coverage, datasetId } from './dataset.ts';
import { calendarMonth, count, instant, slug, webUrl } from './primitives.ts';

const rating = {
  review_count: count,
  rating_value: z
    .number()
    .min(1)
    .max(5)
    .nullable()
    .describe('Mean of the stars, two decimals; null without reviews.'),
};

const month = z.strictObject({ month: calendarMonth, ...rating });

/** The document at `/summary.json`, for badges and dashboards: at most 2 KB. */
export const summaryDocument = z
  .strictObject({
    edition: datasetId,
    updated_at: instant.describe('The newest change of any published review.'),
    name: z.string().describe('Of the business.'),
    url: webUrl.describe('The site with all reviews.'),
    aggregate_rating: aggregateRating.omit({ by_source: true }),
    coverage,
    months: z
      .array(month)
      .describe('The twelve months up to that of the newest review, oldest first.'),
  })
  .meta({ title: 'Summary', description: 'The rating in brief.' });
export type SummaryDocument = z.infer<typeof summaryDocument>;

/** The document at `/history.json`. */
export const historyDocument = z
  .strictObject({
    edition: datasetId,
    months: z
      .array(
        month.extend({
          by_source: z.array(z.strictObject({ source: slug, ...rating })).describe('By name.'),
        }),
      )
      .describe('Every month from the oldest review to the newest, oldest first.'),
  })
  .meta({ title: 'History', description: 'The rating by month and source.' });
export type HistoryDocument = z.infer<typeof historyDocument>;
