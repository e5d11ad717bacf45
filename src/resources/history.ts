import { z } from 'zod';
import { ratingOf } from '../dataset/aggregate.ts';
import { datasetId, type ReviewsDataset } from '../schema/dataset.ts';
import { calendarMonth, count, slug } from '../schema/primitives.ts';
import type { Review } from '../schema/review.ts';
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

/**
 * Returns every month from the oldest review to the newest, oldest first, also those without any.
 *
 * @param reviews newest first
 */
export function monthsOf(reviews: readonly Review[]): { month: string; reviews: Review[] }[] {
  const byMonth = Map.groupBy(reviews, ({ date }) => date.slice(0, 7));
  const months = [...byMonth.keys()];
  const [newest = ''] = months;
  const all: { month: string; reviews: Review[] }[] = [];
  for (let month = months.at(-1) ?? '-'; month <= newest; month = monthAfter(month)) {
    all.push({ month, reviews: byMonth.get(month) ?? [] });
  }
  return all;
}

/** `2025-12` → `2026-01`. */
function monthAfter(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}
