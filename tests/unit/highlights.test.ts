import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InsightsDataset, PerReview } from '../../src/schema/insights.ts';
import { praisedAndCriticized, praiseIn, quoteOf } from '../../src/view/highlights.ts';

type Aspect = InsightsDataset['aspects'][number];

function aspect(id: string, positive: number, neutral: number, negative: number): Aspect {
  const mention_count = positive + neutral + negative;
  return {
    id,
    label: id,
    mention_count,
    positive_count: positive,
    neutral_count: neutral,
    negative_count: negative,
    positive_pct: (positive / mention_count) * 100,
    score: 0,
    top_phrases: [],
    negative_phrases: [],
    example_review_ids: [],
    examples: [],
  };
}

test('praises by the surplus of praise, criticises by the number of critical reviews', () => {
  const { praised, criticized } = praisedAndCriticized([
    aspect('price', 50, 10, 40),
    aspect('manners', 40, 0, 1),
    aspect('work', 60, 10, 15),
    aspect('office', 10, 0, 9),
    aspect('tidiness', 20, 0, 0),
    aspect('punctuality', 8, 0, 8),
  ]);
  assert.deepEqual(
    praised.map(({ id }) => id),
    ['work', 'manners', 'tidiness'],
  );
  assert.deepEqual(
    criticized.map(({ id }) => id),
    ['price', 'office', 'punctuality'],
  );
});

test('leaves out what a handful of reviews mention, and what nobody blames', () => {
  const { praised, criticized } = praisedAndCriticized([
    aspect('rare', 4, 0, 0),
    aspect('even', 5, 0, 5),
    aspect('neutral', 0, 9, 0),
  ]);
  assert.deepEqual(praised, []);
  assert.deepEqual(
    criticized.map(({ id }) => id),
    ['even'],
  );
});

test('quotes what can stand alone, else the first of the side, else nothing', () => {
  const example = (quote: string, sentiment: 'positive' | 'negative') => ({
    review_id: '01KE0000000000000000000001',
    quote,
    sentiment,
  });
  const work: Aspect = {
    ...aspect('work', 2, 0, 1),
    examples: [
      example('Perfect', 'positive'),
      example('Everything was left cleaner than before.', 'positive'),
      example('Bad', 'negative'),
    ],
  };
  assert.equal(quoteOf(work, 'positive')!.quote, 'Everything was left cleaner than before.');
  assert.equal(quoteOf(work, 'negative')!.quote, 'Bad');
  assert.equal(quoteOf(work, 'neutral'), undefined);
});

test('finds the clearest praise among reviews', () => {
  const labelled = (score: number, quote: string | null) =>
    ({ aspects: [{ id: 'work', sentiment: 'positive', score, quote }] }) as unknown as PerReview;
  const labels = {
    a: labelled(0.4, 'They did what they said they would.'),
    b: labelled(0.9, 'Great!'),
    c: labelled(0.8, 'The best work we have ever had done here.'),
    d: labelled(1, null),
  };
  assert.equal(praiseIn(['a', 'b', 'c', 'd'], labels)!.review_id, 'c');
  assert.equal(praiseIn(['b', 'd'], labels), undefined);
});
