import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenize } from '../../src/insights/analyze/tokens.ts';

const split = (text: string) => tokenize(text).map(({ text: word }) => word);
const sentences = (text: string) =>
  tokenize(text).flatMap(({ text: word, startsSentence }) => (startsSentence ? [word] : []));

test('numbers, abbreviations and addresses are one word', () => {
  const text = 'Paid $2,290.50 at 6:40am, 24/7 A/C help from acme.com';
  const words = ['Paid', '2,290.50', 'at', '6:40am', '24/7', 'A/C', 'help', 'from', 'acme.com'];
  assert.deepEqual(split(text), words);
});

test('a missing space does not glue two sentences together', () => {
  assert.deepEqual(split('Good work.Fair price'), ['Good', 'work', 'Fair', 'price']);
  assert.deepEqual(sentences('Good work.Fair price'), ['Good', 'Fair']);
  assert.deepEqual(split('plumbing/heating'), ['plumbing', 'heating']);
});

test('the full stop of an abbreviation ends no sentence', () => {
  assert.deepEqual(sentences('At 7 a.m. on Sunday Mr. Stone came. We slept.'), ['At', 'We']);
  assert.deepEqual(sentences('Bill H. came. he left'), ['Bill', 'he']);
  assert.deepEqual(sentences('It was 7 a.m. Nobody came.'), ['It', 'Nobody']);
});

test('a negation that lost its apostrophe is one word, as written and as meant', () => {
  const text = 'It wasn t cold, I DON T know, can t say, didn’t try, isnt WONT';
  const words = tokenize(text);
  assert.deepEqual(
    words.filter(({ lower }) => lower.endsWith("n't")).map(({ lower }) => lower),
    ["wasn't", "don't", "can't", "didn't", "isn't", "won't"],
  );
  for (const { text: word, start, end } of words) assert.equal(text.slice(start, end), word);
  const unchanged = 'a plan t don t-shirt wasn trying dont want';
  assert.deepEqual(split('a plan t, don t-shirt, wasn trying, dont, want'), unchanged.split(' '));
});
