import type { ReviewsDataset } from '../schema/dataset.ts';
import type { Review } from '../schema/review.ts';
import type { HistoryDocument, SummaryDocument } from '../schema/summary.ts';
import { meanOrNull } from './round.ts';

const MONTHS_OF_SUMMARY = 12;

/** Returns `/summary.json`. */
export function buildSummary(dataset: ReviewsDataset): SummaryDocument {
  const { edition, updated_at, business, coverage, reviews } = dataset;
  const { by_source: _, ...aggregate_rating } = dataset.aggregate_rating;
  const months = monthsOf(reviews).slice(-MONTHS_OF_SUMMARY);
  return {
    edition,
    updated_at,
    name: business.name,
    url: business.reviews_url,
    aggregate_rating,
    coverage,
    months: months.map(({ month, reviews }) => ({ month, ...ratingOf(reviews) })),
  };
}

/** Returns `/history.json`. */
export function buildHistory({ edition, reviews }: ReviewsDataset): HistoryDocument {
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

function ratingOf(reviews: readonly Review[]) {
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  return { review_count: reviews.length, rating_value: meanOrNull(stars, reviews.length) };
}

/**
 * Returns every month from the oldest review to the newest, oldest first, also those without any.
 *
 * @param reviews newest first
 */
function monthsOf(reviews: readonly Review[]): { month: string; reviews: Review[] }[] {
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
