import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Review } from '../../src/schema/review.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, section 4.1: business metadata, aggregate rating, all verified reviews.

forEachTarget((target) => {
  test('names the business and says where its reviews are read', async () => {
    const { business } = await target.dataset();
    assert.notEqual(business.name.trim(), '');
    assert.equal(business.reviews_url, `${(await target.manifest()).base_url}/`);
  });

  test('holds verified reviews only, each once', async () => {
    const { reviews } = await target.dataset();
    assert.ok(reviews.length > 50);
    assert.ok(reviews.every(({ verified }) => verified));
    assert.equal(new Set(reviews.map(({ id }) => id)).size, reviews.length);
  });

  test('the aggregate rating is what the reviews add up to', async () => {
    const { aggregate_rating: rating, reviews } = await target.dataset();
    assert.equal(rating.review_count, reviews.length);
    assertMean(rating.rating_value, reviews);
    for (const stars of ['1', '2', '3', '4', '5'] as const) {
      const of = reviews.filter((review) => review.rating === Number(stars));
      assert.equal(rating.distribution[stars], of.length, `${stars} stars`);
    }
    assert.equal(rating.text_review_count, reviews.filter(({ text }) => text !== null).length);
    assert.equal(rating.latest_review_date, reviews[0]?.date ?? null);
    const answered = reviews.filter(({ owner_reply }) => owner_reply !== null).length;
    assertClose(rating.reply_rate_pct, (answered / reviews.length) * 100, 0.1);
  });

  test('the sources share out the reviews', async () => {
    const { aggregate_rating: rating, reviews } = await target.dataset();
    const sources = new Set(reviews.map(({ source }) => source));
    assert.deepEqual(new Set(rating.by_source.map(({ source }) => source)), sources);
    for (const { source, rating_value, review_count } of rating.by_source) {
      const of = reviews.filter((review) => review.source === source);
      assert.equal(review_count, of.length, source);
      assertMean(rating_value, of);
    }
  });

  test('every known review is published or counted with a reason', async () => {
    const { coverage, reviews } = await target.dataset();
    assert.equal(coverage.published, reviews.length);
    const excluded = coverage.excluded.reduce((total, { count }) => total + count, 0);
    assert.equal(coverage.known, coverage.published + excluded);
    assert.equal(coverage.latest, reviews[0]?.date ?? null);
    assert.equal(coverage.earliest, reviews.at(-1)?.date ?? null);
  });

  test('updated_at is the newest change of a review, and no reply is older than its review', async () => {
    const { reviews, updated_at: updatedAt } = await target.dataset();
    const times = reviews.map((review) => review.updated_at).sort();
    assert.equal(updatedAt, times.at(-1));
    for (const { id, date, owner_reply: reply } of reviews) {
      assert.ok(reply === null || reply.date === null || reply.date >= date, id);
    }
  });
});

function assertMean(value: number | null, reviews: readonly Review[]): void {
  if (reviews.length === 0) return assert.equal(value, null);
  const sum = reviews.reduce((total, { rating }) => total + rating, 0);
  assertClose(value!, sum / reviews.length, 0.01);
}

/** @param step of the rounding */
function assertClose(value: number, exact: number, step: number): void {
  assert.ok(Math.abs(value - exact) <= step / 2 + 1e-9, `${value} is ${exact} rounded`);
}
