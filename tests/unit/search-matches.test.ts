import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fold } from '../../src/search/fold.ts';
import { stringWord } from '../../src/search/words.ts';
import { findMatches } from '../../src/view/matches.ts';

const find = (text: string, query: string) =>
  findMatches(text, query === '' ? [] : [stringWord(query)]);

const matched = (text: string, query: string) =>
  find(text, query)
    .filter((piece) => piece.matched)
    .map((piece) => piece.text);

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

const text = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', 'É', 'e\u0301', 'İ', 'ß', '👍', ' '),
});

test('joined, the pieces are the text; they match exactly where the folded text does', () => {
  fc.assert(
    fc.property(text, text, (whole, query) => {
      const pieces = find(whole, query);
      assert.equal(pieces.map((piece) => piece.text).join(''), whole);
      const found = query !== '' && fold(whole).includes(fold(query));
      assert.equal(
        pieces.some((piece) => piece.matched),
        found,
      );
      for (const piece of pieces) {
        if (piece.matched) assert.ok(fold(piece.text).includes(fold(query)), piece.text);
      }
    }),
  );
});
