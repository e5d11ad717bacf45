import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchIndex } from '../../src/search/search-index.ts';
import { atOnce } from '../../src/search/steps.ts';
import { contains } from '../support/naive-search.ts';
import { Random } from '../support/random.ts';
import { linesOf, review } from '../support/reviews.ts';

const COMMON = ['the', 'and', 'water', 'service', 'great', 'heater'];
const RARE = ['sunday', 'boiler', 'Élodie', '24/7', 'water heater'];
const QUESTIONS = [...COMMON, ...RARE, 'eat', 'absent', 'ELODIE', 'e'];

interface Written {
  title: string | null;
  text: string | null;
}

/** Ranks as the docstring says, by looking at every review. */
function naiveRank(reviews: readonly Written[], words: readonly string[], limit: number): number[] {
  const found = words.map((word) =>
    reviews.map(({ title, text }) => contains(text, word) || contains(title, word)),
  );
  const weights = found.map((has) =>
    Math.log((reviews.length + 1) / (has.filter(Boolean).length || 1)),
  );
  return reviews
    .map((_, at) => ({
      at,
      score: weights.reduce((sum, weight, word) => (found[word]![at] ? sum + weight : sum), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, limit)
    .map(({ at }) => at);
}

function write(random: Random, reviews: number): Written[] {
  const words = () =>
    Array.from({ length: random.below(8) }, () =>
      random.pick(random.below(10) === 0 ? RARE : COMMON),
    ).join(' ');
  return Array.from({ length: reviews }, () => ({
    title: random.below(4) === 0 ? words() : null,
    text: random.below(9) === 0 ? null : words(),
  }));
}

function indexOf(written: readonly Written[]): SearchIndex {
  return new SearchIndex(linesOf(written.map((fields) => review(fields))), {});
}

test('ranks reviews by the rarity of the words they have, as a look at all of them does', () => {
  const random = new Random(3);
  for (const size of [0, 1, 40, 900]) {
    const written = write(random, size);
    const index = indexOf(written);
    for (let asked = 0; asked < 60; asked++) {
      const words = Array.from({ length: 1 + random.below(6) }, () => random.pick(QUESTIONS));
      const ranked = atOnce(index.rank(words, 20));
      assert.deepEqual(ranked, naiveRank(written, words, 20), words.join(', '));
    }
  }
});

test('finds the reviews with all words of a question among any number of reviews', () => {
  const written: Written[] = Array.from({ length: 5000 }, () => ({
    title: null,
    text: 'the service and the water',
  }));
  written[4321] = { title: 'Sunday', text: 'the service and the water, great' };
  written[2100] = { title: null, text: 'the service, great' };
  const words = ['the', 'service', 'water', 'great', 'sunday'];
  assert.deepEqual(atOnce(indexOf(written).rank(words, 2)), [4321, 2100]);
});

test('takes the newest reviews where all have the words', () => {
  const written = Array.from({ length: 5000 }, () => ({ title: null, text: 'water heater' }));
  const words = ['water', 'heater', 'eater'];
  assert.deepEqual(atOnce(indexOf(written).rank(words, 3)), [0, 1, 2]);
});
