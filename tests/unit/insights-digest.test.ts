import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { digestInsights } from '../../src/insights/digest.ts';
import { buildPublication } from '../../src/build/publication.ts';
import { insightsDigest } from '../../src/schema/insights-digest.ts';
import { DATASET } from '../support/fixtures.ts';

const content = await readContent(DATASET);
const { dataset, insights } = buildPublication(content, 'https://reviews.example');
const digest = digestInsights(insights, dataset.reviews);

test('the digest is what its schema says, with every quote citable', () => {
  assert.deepEqual(insightsDigest.parse(digest), digest);
  const urls = new Map(dataset.reviews.map(({ id, url }) => [id, url]));
  const quotes = [
    ...digest.aspects.flatMap((one) => one.examples),
    ...digest.faq.flatMap((one) => one.quotes),
  ];
  assert.ok(quotes.length > 0);
  for (const { review_id, url } of quotes) assert.equal(url, urls.get(review_id));
});

test('the digest counts what the insights count', () => {
  assert.deepEqual(
    digest.aspects.map(({ id, mention_count, score }) => [id, mention_count, score]),
    insights.aspects.map(({ id, mention_count, score }) => [id, mention_count, score]),
  );
  assert.deepEqual(
    digest.entities.services.map(({ id, mention_count }) => [id, mention_count]),
    insights.entities.services.map(({ id, mention_count }) => [id, mention_count]),
  );
  assert.deepEqual(digest.temporal, insights.temporal);
});

test('nothing in the digest grows with the number of reviews', () => {
  const text = JSON.stringify(digest);
  for (const key of ['per_review', 'review_ids', 'evidence_review_ids']) {
    assert.ok(!text.includes(`"${key}"`), key);
  }
});
