import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { forEachTarget, type Target } from '../support/targets.ts';

// Contract, section 4.2: aspects, entities, topics, FAQ and summary.

const insightsOf = (target: Target) => target.json<InsightsDataset>('/insights.json');

forEachTarget((target) => {
  test('speaks of exactly the published reviews', async () => {
    const insights = await insightsOf(target);
    const { coverage, reviews } = await target.dataset();
    assert.equal(insights.review_count, reviews.length);
    assert.deepEqual(Object.keys(insights.per_review).sort(), reviews.map(({ id }) => id).sort());
    const { earliest, latest } = coverage;
    assert.deepEqual(insights.date_range, { earliest, latest });
  });

  test('an entity lists, counts and dates the reviews that mention it', async () => {
    const { entities, per_review: perReview } = await insightsOf(target);
    const { reviews } = await target.dataset();
    for (const kind of ['technicians', 'services', 'problems', 'service_areas'] as const) {
      for (const entity of entities[kind]) {
        const of = reviews.filter(({ id }) => perReview[id]![kind].includes(entity.id));
        const ids = of.map(({ id }) => id);
        assert.deepEqual(entity.review_ids, ids, entity.id);
        assert.equal(entity.mention_count, of.length, entity.id);
        assert.equal(entity.last_mentioned, of[0]?.date ?? null, entity.id);
        assert.equal(entity.first_mentioned, of.at(-1)?.date ?? null, entity.id);
      }
    }
  });

  test('the mentions of a review are the same in both datasets', async () => {
    const { per_review: perReview } = await insightsOf(target);
    for (const { id, mentions } of (await target.dataset()).reviews) {
      const { technicians, services } = perReview[id]!;
      assert.deepEqual({ technicians, services }, mentions, id);
    }
  });

  test('every review that backs a statement is a published one', async () => {
    const { aspects, faq, pull_quote: pullQuote, topics } = await insightsOf(target);
    const known = new Set((await target.dataset()).reviews.map(({ id }) => id));
    const cited = [
      ...aspects.flatMap(({ example_review_ids: ids }) => ids),
      ...aspects.flatMap(({ examples }) => examples.map(({ review_id: id }) => id)),
      ...topics.flatMap(({ example_review_ids: ids }) => ids),
      ...faq.flatMap(({ evidence_review_ids: ids }) => ids),
      ...faq.flatMap(({ quotes }) => quotes.map(({ review_id: id }) => id)),
      ...(pullQuote === null ? [] : [pullQuote.review_id]),
    ];
    const lost = cited.filter((id) => !known.has(id));
    assert.deepEqual(lost, []);
  });
});
