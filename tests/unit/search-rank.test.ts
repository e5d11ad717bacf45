import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rank } from '../../src/search/rank.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { parseWords } from '../../src/search/words.ts';
import { hasAllWords } from '../support/naive-search.ts';
import { Random } from '../support/random.ts';
import { linesOf, review } from '../support/reviews.ts';

const COMMON = ['the', 'and', 'water', 'service', 'great', 'heater'];
const RARE = ['sunday', 'boilers', 'Élodie', 'tap', 'heaters'];
const QUESTIONS = [...COMMON, ...RARE, 'eaten', 'absent', 'taps', 'tape', 'boiler', 'wate'];

type Written = Record<'title' | 'text', string | null>;

/** Ranks as the docstring says, by looking at every review. */
function naiveRank(reviews: readonly Written[], words: readonly string[], limit: number) {
  const found = words.map((word) =>
    reviews.map(({ title, text }) => hasAllWords([text], word) || hasAllWords([title], word)),
  );
  const weights = found.map((has) =>
    Math.log((reviews.length + 1) / (has.filter(Boolean).length || 1)),
  );
  const scored = reviews
    .map((_, at) => ({
      at,
      score: weights.reduce((sum, weight, word) => (found[word]![at] ? sum + weight : sum), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const best = scored[0]?.score ?? 0;
  const documents = scored.filter(({ score }) => score >= best / 2).slice(0, limit);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return { positions: documents.map(({ at }) => at), isSure: best > 0 && best >= all / 2 };
}

const toWords = (words: readonly string[]) => words.map((word) => parseWords(word, new Set())[0]!);

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
  for (const size of [0, 1, 40, 300]) {
    const written = write(random, size);
    const index = indexOf(written);
    for (let asked = 0; asked < 30; asked++) {
      const words = Array.from({ length: 1 + random.below(6) }, () => random.pick(QUESTIONS));
      const ranked = rank(index.columns, toWords(words), 20);
      assert.deepEqual(ranked, naiveRank(written, words, 20), words.join(', '));
    }
  }
});

test('is not sure where no review has the rarest words of a question', () => {
  const written = Array.from({ length: 50 }, () => ({ title: null, text: 'very good people' }));
  const isSure = (...words: string[]) => rank(indexOf(written).columns, toWords(words), 5).isSure;
  assert.deepEqual([isSure('good', 'dogs'), isSure('good'), isSure('dogs')], [false, true, false]);
});
