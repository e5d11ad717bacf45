import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeRating, monthsOf } from '../../src/dataset/aggregate.ts';
import { newestFirst, selectPublished } from '../../src/dataset/publish.ts';
import { meanOrNull, percentageOrNull, round } from '../../src/base/round.ts';
import { record, review, ulidOf } from '../support/reviews.ts';

test('orders by date descending, then by id descending', () => {
  const ordered = [
    { date: '2026-01-02', id: ulidOf(1) },
    { date: '2026-01-01', id: ulidOf(3) },
    { date: '2026-01-01', id: ulidOf(2) },
    { date: '2025-12-31', id: ulidOf(9) },
  ];
  assert.deepEqual(ordered.toReversed().sort(newestFirst), ordered);
  assert.equal(newestFirst(ordered[0]!, { ...ordered[0]! }), 0);
});

test('every month from the oldest review to the newest has its reviews, or none', () => {
  const dates = ['2027-02-03', '2026-12-31', '2026-12-01', '2026-11-30'];
  const months = monthsOf(dates.map((date) => ({ date })));
  const counts = months.map(({ month, reviews }) => `${month}: ${reviews.length}`);
  assert.deepEqual(counts, ['2026-11: 1', '2026-12: 2', '2027-01: 0', '2027-02: 1']);
  assert.deepEqual(monthsOf([]), []);
});

test('counts what is left out by its reason', () => {
  const unverified = record({ verified: false });
  const records = [record(), unverified, unverified, record({ verified: false, held_back: true })];
  const { published, coverage } = selectPublished(records);
  assert.deepEqual(published, [record()]);
  const excluded = [
    { reason: 'unverified', count: 2 },
    { reason: 'held-back', count: 1 },
  ];
  const days = { earliest: '2026-03-01', latest: '2026-03-01' };
  assert.deepEqual(coverage, { known: 4, published: 1, excluded, ...days });
  const withdrawn = selectPublished(records, 4).coverage;
  assert.equal(withdrawn.known, 8);
  assert.deepEqual(withdrawn.excluded, [{ reason: 'withdrawn', count: 4 }, ...excluded]);
});

test('has a rating of null, not zero, when there is no review', () => {
  const { rating_value, latest_review_date, ...counts } = computeRating([]);
  assert.deepEqual([rating_value, latest_review_date], [null, null]);
  assert.deepEqual([counts.review_count, counts.reply_rate_pct, counts.by_source], [0, 0, []]);
  const none = { known: 0, published: 0, excluded: [], earliest: null, latest: null };
  assert.deepEqual(selectPublished([]).coverage, none);
});

test('lists platforms by their reviews, then by name, with the mean of scores of one scale', () => {
  const scored = (source: string, value: number, best: number) =>
    review({ source, rating: Math.floor((value * 5) / best + 0.5), score: { value, best } });
  const { by_source: platforms } = computeRating([
    ...[8.4, 8.5, 9.1].map((value) => scored('booking', value, 10)),
    scored('yelp', 4.5, 5),
    review({ source: 'yelp', rating: 3 }),
    scored('mixed', 8, 10),
    scored('mixed', 90, 100),
    review({ source: 'google', rating: 4 }),
  ]);
  const found = platforms.map(({ source, rating_value, score }) => [source, rating_value, score]);
  assert.deepEqual(found, [
    ['booking', 4.33, { value: 8.67, best: 10 }],
    ['mixed', 4.5, undefined],
    ['yelp', 4, { value: 3.75, best: 5 }],
    ['google', 4, undefined],
  ]);
});

/** Rounds half up, in integer arithmetic. */
function exactly(part: number, whole: number, decimals: number): number {
  const factor = 10n ** BigInt(decimals);
  const steps = (2n * factor * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole));
  return Number(steps) / Number(factor);
}

/** Any count, and as often one whose means and shares lie halfway between two steps. */
const counts = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: 10 }).map((times) => 80 * times),
);

test('a mean that rounds to zero has no sign', () => {
  assert.ok(Object.is(round(-0.0004, 3), 0));
  assert.ok(Object.is(round(-0, 2), 0));
  assert.equal(round(-1.005, 2), -1.01);
});

test('rounds means to hundredths and shares to tenths of a percent, the middle up', () => {
  const parts = counts.chain((count) => fc.tuple(fc.nat(5 * count), fc.constant(count)));
  fc.assert(
    fc.property(parts, ([part, whole]) => {
      assert.equal(meanOrNull(part, whole), exactly(part, whole, 2));
      assert.equal(percentageOrNull(part, whole), exactly(100 * part, whole, 1));
    }),
    { numRuns: 5000, examples: [[[87, 40]], [[23, 80]]] },
  );
  assert.deepEqual([meanOrNull(0, 0), percentageOrNull(0, 0)], [null, null]);
});
