import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { draftSummary } from '../../src/view/draft-summary.ts';

const aspect = (label: string, positive_count: number, negative_count: number) => {
  const mention_count = positive_count + negative_count;
  return { id: label, label, mention_count, positive_count, negative_count };
};
const coverage = (read_count: number, stars_only_count = 0) =>
  ({ read_count, stars_only_count, without_words_count: 0 }) as InsightsDataset['coverage'];
const rating = { rating_value: 4.2, review_count: 40 };
const aspects = [
  aspect('Pricing', 2, 9),
  aspect('Punctuality', 12, 3),
  aspect('overall', 30, 1),
  aspect('Rooms', 3, 2),
] as InsightsDataset['aspects'];

test('a business without a summary gets one from counts, in the aspects that the page names', () => {
  const summary =
    'The average of 40 reviews is 4.20 of 5. Praised most often: punctuality (12) and rooms (3). ' +
    'Criticized most often: pricing (9).';
  assert.equal(draftSummary(rating, { aspects, coverage: coverage(40) }, wordingOf()), summary);
});

test('nothing is summed up from a few reviews, or where most words were not read', () => {
  const few = { ...rating, review_count: 9 };
  assert.equal(draftSummary(few, { aspects, coverage: coverage(9) }, wordingOf()), null);
  assert.equal(draftSummary(rating, { aspects, coverage: coverage(10, 30) }, wordingOf()), null);
});
