import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { HistoryDocument } from '../../src/resources/history.ts';
import type { SummaryDocument } from '../../src/resources/summary.ts';
import { forEachTarget } from '../support/targets.ts';

const meanOf = (stars: readonly number[]) =>
  stars.length === 0
    ? null
    : Math.floor((100 * stars.reduce((a, b) => a + b, 0)) / stars.length + 0.5) / 100;

forEachTarget((target) => {
  let dataset: ReviewsDataset;
  let summary: SummaryDocument;
  let history: HistoryDocument;

  before(async () => {
    dataset = await target.dataset();
    summary = await target.json('/summary.json');
    history = await target.json('/history.json');
  });

  test('the summary has the rating and the coverage of reviews.json in 3 KB', async () => {
    const { by_source: _, ...rating } = dataset.aggregate_rating;
    assert.deepEqual(summary.aggregate_rating, rating);
    assert.deepEqual(summary.coverage, dataset.coverage);
    assert.equal(summary.edition, dataset.edition);
    const answer = await target.fetch('/summary.json');
    assert.ok((await answer.bytes()).length <= 3 * 1024);
    assert.ok(answer.headers.has('etag'));
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  });

  test('the months of both count every review once, without gaps', () => {
    const { months } = history;
    const newest = months.slice(-12).map((each) => {
      const { by_source: _, ...month } = each;
      return month;
    });
    assert.deepEqual(summary.months, newest);
    const total = months.reduce((sum, month) => sum + month.review_count, 0);
    assert.equal(total, dataset.reviews.length);
    for (const [index, { month }] of months.entries()) {
      const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1));
      const expected = months[index + 1]?.month ?? next.toISOString().slice(0, 7);
      assert.equal(next.toISOString().slice(0, 7), expected);
    }
  });

  test('each month has the mean and the number of its reviews, also by source', () => {
    for (const { month, review_count, rating_value, by_source } of history.months) {
      const reviews = dataset.reviews.filter(({ date }) => date.startsWith(month));
      assert.equal(review_count, reviews.length);
      assert.equal(rating_value, meanOf(reviews.map(({ rating }) => rating)), month);
      const sources = [...new Set(reviews.map(({ source }) => source))].sort();
      const expected = sources.map((source) => {
        const stars = reviews.filter((one) => one.source === source).map(({ rating }) => rating);
        return { source, review_count: stars.length, rating_value: meanOf(stars) };
      });
      assert.deepEqual(by_source, expected);
    }
  });
});
