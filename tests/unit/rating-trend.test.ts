import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Month } from '../../src/schema/insights.ts';
import { ratingTrend } from '../../src/view/rating-trend.ts';

/** Months from January of a year on; null is a month without reviews. */
function monthsFrom(year: number, ratings: (number | null)[], review_count = 1): Month[] {
  return ratings.map((average_rating, at) => ({
    month: `${year + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
    review_count: average_rating === null ? 0 : review_count,
    average_rating,
    positive_pct: average_rating === null ? null : 100,
  }));
}

test('draws nothing where there are not two months to compare', () => {
  assert.equal(ratingTrend([]), null);
  assert.equal(ratingTrend(monthsFrom(2026, [5])), null);
  assert.equal(ratingTrend(monthsFrom(2026, [5, null, null])), null);
});

test('puts five stars at the top, one at the bottom, and skips months without reviews', () => {
  const { months, volume } = ratingTrend(monthsFrom(2026, [5, null, 1, 3]))!;
  assert.equal(months, 'M12.5 0h0M62.5 100h0M87.5 50h0');
  assert.equal(volume, 'M12.5 100V0M62.5 100V0M87.5 100V0');
});

test('weighs the rolling mean by the number of reviews, over twelve months', () => {
  const first = monthsFrom(2025, [1], 9);
  const rest = monthsFrom(2025, [null, ...Array.from({ length: 11 }, () => 5), 5]).slice(1);
  const { recent, rolling } = ratingTrend([...first, ...rest])!;
  // Twelve months to December hold (9 × 1 + 11 × 5) / 20 = 3.2; a month later the ones are gone.
  assert.equal(rolling, 'M88.46 45L96.15 0');
  assert.deepEqual(recent, { label: 'last 12 months', review_count: 12, average_rating: 5 });
});

test('draws no rolling mean for a history of less than a year', () => {
  assert.equal(ratingTrend(monthsFrom(2026, [5, 4, 3]))!.rolling, '');
});

test('says the same in words, year by year', () => {
  const { byYear } = ratingTrend(
    monthsFrom(2025, [...Array.from({ length: 12 }, () => 4), null, 5]),
  )!;
  assert.deepEqual(byYear, [
    { label: '2025', review_count: 12, average_rating: 4 },
    { label: '2026', review_count: 1, average_rating: 5 },
  ]);
});

test('labels years so that they stay apart: not a short first one, and at most ten', () => {
  const years = (count: number, skip = 0) =>
    ratingTrend(
      monthsFrom(
        2000,
        Array.from({ length: count * 12 }, () => 5),
      ).slice(skip),
    )!.years;
  assert.deepEqual(
    years(3).map(({ label }) => label),
    ['2000', '2001', '2002'],
  );
  assert.deepEqual(
    years(12, 10)
      .map(({ label }) => label)
      .slice(0, 2),
    ['2001', '2003'],
  );
  assert.equal(years(26).length, 9);
});
