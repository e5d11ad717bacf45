import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostTelling, recentFrom, tellingKey } from '../../src/dataset/telling.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';

const NEWEST = '2026-06-30';
const RECENT = recentFrom(NEWEST);
const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
const key = (date: string, count: number, ...aspects: string[]) =>
  tellingKey({ date, text: words(count) }, aspects, RECENT);

test('recent reviews tell more than others, then those of 40 to 120 words, then those that name most', () => {
  const keys = [
    key('2025-01-01', 40, 'price', 'work'),
    key('2024-12-29', 120),
    key('2026-06-30', 39, 'price', 'work', 'manners'),
    key('2026-06-30', 121, 'price', 'price', 'overall'),
    key('2026-06-30', 121),
    key('2024-12-28', 120, 'price', 'work', 'manners'),
    key('2020-01-01', 39, 'price'),
  ];
  assert.deepEqual(keys, [3002, 3000, 2003, 2001, 2000, 1003, 1]);
});

/** Returns the reviews of a home page, of reviews with these stars, newest first; `a` is answered. */
function chosenOf(...reviews: string[]): string[] {
  const all = reviews.map((stars, at) => ({
    id: `${at} ${stars}`,
    date: NEWEST,
    text: stars.includes('-') ? null : words(50),
    rating: Number(stars[0]),
    owner_reply: stars.includes('a') ? { text: 'Sorry.', date: NEWEST } : null,
  })) as unknown as Review[];
  const perReview = Object.fromEntries(all.map(({ id }) => [id, { aspects: [] }]));
  return mostTelling(all, perReview as unknown as InsightsDataset['per_review']).map(
    ({ id }) => id,
  );
}

test('one of five stars, one answered of three or fewer, and another critical one open the home page', () => {
  assert.deepEqual(chosenOf('5-', '5', '1', '3', '2a', '5'), ['1 5', '4 2a', '2 1']);
  assert.deepEqual(chosenOf('4', '3', '2'), ['1 3', '2 2']);
  assert.deepEqual(chosenOf('2a', '5'), ['1 5', '0 2a']);
  assert.deepEqual(chosenOf('4', '1-'), []);
});
