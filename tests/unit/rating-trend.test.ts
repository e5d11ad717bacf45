import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import { ratingTrend } from '../../src/view/rating-trend.ts';

/** Reviews of one month, or of many from January of a year on. */
const month = (yearMonth: string, ...ratings: number[]) =>
  ratings.map((rating) => ({ date: `${yearMonth}-15`, rating }));
const monthsFrom = (year: number, count: number, ...ratings: number[]) =>
  Array.from({ length: count }, (_, at) =>
    month(`${year + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`, ...ratings),
  ).flat();
const trendOf = (oldestFirst: ReturnType<typeof month>) =>
  ratingTrend(oldestFirst.toReversed(), wordingOf());
const often = (rating: number, count: number) => Array.from({ length: count }, () => rating);

test('draws nothing where there are not two periods to compare', () => {
  assert.equal(trendOf([]), null);
  assert.equal(trendOf(month('2026-03', 5, 5, 5)), null);
  assert.equal(trendOf([...month('2026-03', 5, 5, 5), ...month('2027-03', 1)]), null);
});

test('takes periods so long that they have several reviews, and no more than fit on a phone', () => {
  const lengthOf = (reviews: ReturnType<typeof month>) => trendOf(reviews)!.periods[0]!.label;
  assert.equal(lengthOf(monthsFrom(2025, 24, ...often(5, 8))), 'January 2025');
  assert.equal(lengthOf(monthsFrom(2025, 24, 5, 5, 5)), 'January to March 2025');
  assert.equal(lengthOf(monthsFrom(2020, 48, ...often(5, 8))), 'January to March 2020');
  assert.equal(lengthOf(monthsFrom(2025, 24, 5, 4)), 'January to June 2025');
  assert.equal(lengthOf(monthsFrom(2025, 24, 5)), '2025');
});

test('labels every second of many years, from the first that is complete', () => {
  const labels = (from: number) =>
    trendOf(monthsFrom(2014, 144, 5, 5).slice(from))!.years.map(({ label }) => label);
  assert.deepEqual(labels(0), ['2014', '2016', '2018', '2020', '2022', '2024']);
  assert.deepEqual(labels(12).slice(0, 2), ['2015', '2017']);
});

test('a period with one review is no dot', () => {
  const { isDrawn, periods } = trendOf([
    ...month('2026-01', ...often(4, 50)),
    ...month('2026-02', 4),
    ...month('2026-03', ...often(4, 4)),
  ])!;
  assert.deepEqual(periods.map(isDrawn), [true, false, true]);
  const days = { label: 'January 2026', since: '2026-01-01', until: '2026-01-31' };
  assert.deepEqual(periods[0], { ...days, review_count: 50, average_rating: 4 });
});

test('begins a star below the lowest mean, and keeps months without reviews', () => {
  const good = trendOf([
    ...month('2026-01', ...often(5, 12)),
    ...month('2026-03', ...often(4, 12)),
  ]);
  assert.deepEqual([good!.bottom, good!.most], [3, 12]);
  const found = good!.periods.map((each) => `${each.review_count} of ${each.average_rating}`);
  assert.deepEqual(found, ['12 of 5', '0 of null', '12 of 4']);
  const bad = trendOf([...month('2026-01', ...often(1, 12)), ...month('2026-02', ...often(3, 12))]);
  assert.equal(bad!.bottom, 1);
});
