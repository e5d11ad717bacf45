import { z } from 'zod';
import { monthsOf, ratingOf } from '../dataset/aggregate.ts';
import { datasetId, type ReviewsDataset } from '../schema/dataset.ts';
import { calendarMonth, count, slug } from '../schema/primitives.ts';
import { documentResource, json } from './resource.ts';

const rating = {
  review_count: count,
  rating_value: z
    .number()
    .min(1)
    .max(5)
    .nullable()
    .describe('Mean of the stars, two decimals; null without reviews.'),
};

export const monthRating = z.strictObject({ month: calendarMonth, ...rating });

const historyDocument = z
  .strictObject({
    edition: datasetId,
    months: z
      .array(
        monthRating.extend({
          by_source: z.array(z.strictObject({ source: slug, ...rating })).describe('By name.'),
        }),
      )
      .describe('Every month from the oldest review to the newest, oldest first.'),
  })
  .meta({ title: 'History', description: 'The rating by month and source.' });
export type HistoryDocument = z.infer<typeof historyDocument>;

export const HISTORY = documentResource({
  id: 'getHistory',
  path: '/history.json',
  tag: 'Reviews',
  title: 'The rating over time',
  description: 'Number and mean of the stars by month, and by source within each month.',
  schemas: { history: historyDocument },
  build: ({ dataset }) => json(historyOf(dataset)),
  example: 'Abridged',
});

function historyOf({ edition, reviews }: ReviewsDataset): HistoryDocument {
  return {
    edition,
    months: monthsOf(reviews).map(({ month, reviews }) => ({
      month,
      ...ratingOf(reviews),
      by_source: [...Map.groupBy(reviews, ({ source }) => source)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([source, ofSource]) => ({ source, ...ratingOf(ofSource) })),
    })),
  };
}
