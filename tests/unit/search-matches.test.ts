import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fold } from '../../src/search/tokens.ts';
import { bestSentence, marksIn } from '../../src/search/marks.ts';
import { readString } from '../../src/search/read-query.ts';
import { WordIndex } from '../../src/search/word-index.ts';
import { markedPieces } from '../../src/view/matches.ts';

const NO_WORDS = new WordIndex();
const find = (text: string, query: string) =>
  markedPieces(text, marksIn(text, readString(query), NO_WORDS, true));

const matched = (text: string, query: string) =>
  find(text, query).flatMap((piece) => (piece.matched ? [piece.text] : []));

test('marks every match, whatever its case', () => {
  assert.deepEqual(find('Water, warm water', 'water'), [
    { text: 'Water', matched: true },
    { text: ', warm ', matched: false },
    { text: 'water', matched: true },
  ]);
});

test('marks inside a word and across words, as the search matches', () => {
  assert.deepEqual(matched('The plumber came', 'lumb'), ['lumb']);
  assert.deepEqual(matched('on time, tidy', 'e, t'), ['e, t']);
  assert.deepEqual(matched('aaaa', 'aa'), ['aa', 'aa']);
});

test('marks the characters that were written where folding makes others of them', () => {
  assert.deepEqual(matched('a Cafe\u0301 there', 'café'), ['Cafe\u0301']);
  assert.deepEqual(matched('in İzmir, twice', 'zmir'), ['zmir']);
  assert.deepEqual(matched('👍🏽 ΟΔΟΣ 👍🏽', 'οδος'), ['ΟΔΟΣ']);
});

test('marks nothing without a query, or without a match', () => {
  for (const query of ['', 'absent']) {
    assert.deepEqual(find('present', query), [{ text: 'present', matched: false }]);
  }
  assert.deepEqual(find('', 'x'), []);
});

const letter = fc.constantFrom('a', 'B', 'é', 'É', 'e\u0301', 'İ', 'ß', '👍', ' ');
const text = fc.string({ unit: letter });

test('joined, the pieces are the text; they match exactly where the folded text does', () => {
  fc.assert(
    fc.property(text, text, (whole, query) => {
      const pieces = find(whole, query);
      assert.equal(pieces.map((piece) => piece.text).join(''), whole);
      const found = query !== '' && fold(whole).includes(fold(query));
      assert.equal(matched(whole, query).length > 0, found);
      for (const piece of matched(whole, query))
        assert.ok(fold(piece).includes(fold(query)), piece);
    }),
  );
});

test('an excerpt is the sentence with the most different marks, cut around the first one', () => {
  const text = 'The room was fine. The pool was cold and the bar was closed. A pool, a pool.';
  const marks = ['pool', 'bar'].flatMap((word) => marksIn(text, readString(word), NO_WORDS, true));
  assert.equal(bestSentence(text, marks), 'The pool was cold and the bar was closed.');
  assert.equal(bestSentence(text, []), 'The room was fine.');
  const long = `${'so '.repeat(200)}cold ${'so '.repeat(200)}`;
  const cut = bestSentence(long, marksIn(long, readString('cold'), NO_WORDS, true));
  assert.match(cut, /^so .* cold .* so$/);
  assert.ok(cut.length <= 200);
});
