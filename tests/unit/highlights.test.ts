import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageQuotes, praisedAndCriticized } from '../../src/dataset/highlights.ts';
import { ulidOf } from '../support/reviews.ts';

type Counts = [id: string, positive: number, neutral: number, negative: number];

/** Returns the ids of the aspects that are praised, and of those that are criticized. */
function highlightsOf(...counts: Counts[]): [praised: string[], criticized: string[]] {
  const aspects = counts.map(([id, positive_count, neutral, negative_count]) => {
    const mention_count = positive_count + neutral + negative_count;
    return { id, mention_count, positive_count, negative_count };
  });
  const { praised, criticized } = praisedAndCriticized(aspects);
  return [praised.map(({ id }) => id), criticized.map(({ id }) => id)];
}

test('praises by a surplus above the mean, criticizes by the number of critical reviews', () => {
  const highlights = highlightsOf(
    ['overall', 500, 0, 20], // the business itself, which is not listed
    ['price', 70, 10, 40],
    ['manners', 40, 0, 1],
    ['work', 60, 0, 22],
    ['office', 10, 0, 9],
    ['tidiness', 20, 0, 0],
    ['punctuality', 8, 0, 8],
  );
  assert.deepEqual(highlights, [
    ['manners', 'work', 'tidiness'],
    ['price', 'office', 'punctuality'],
  ]);
});

test('leaves out what a handful of reviews mention, and what nobody blames', () => {
  const highlights = highlightsOf(['rare', 4, 0, 0], ['even', 5, 0, 5], ['neutral', 0, 9, 0]);
  assert.deepEqual(highlights, [[], ['even']]);
});

test('a page shows no quote twice, nor a piece of one that it shows', () => {
  const example = (quote: string, sentiment: 'positive' | 'negative') => {
    return { review_id: ulidOf(1), quote, sentiment };
  };
  const whole = example('The work was neat and the price fair.', 'positive');
  const piece = example('The work was neat', 'positive');
  const other = example('Neat work in every room of the house.', 'positive');
  const bad = example('A mess.', 'negative');
  const quotes = new PageQuotes();
  assert.deepEqual(quotes.next([whole, other, bad], 'positive'), [whole]);
  assert.deepEqual(quotes.next([piece, whole, other], 'positive'), [other]);
  assert.deepEqual(quotes.next([piece, whole, other], 'positive'), []);
  assert.deepEqual(quotes.next([example('The work was neat', 'negative'), bad], 'negative'), [bad]);
  const others = new PageQuotes();
  assert.deepEqual(others.next([piece], 'positive'), [piece]);
  assert.deepEqual(others.next([whole, other], 'positive'), [other]);
});
