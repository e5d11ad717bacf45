import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PhraseMatcher } from '../../src/insights/phrase-matcher.ts';
import { tokenize } from '../../src/insights/tokens.ts';

const split = (text: string) => tokenize(text).map(({ text: word }) => word);
const sentences = (text: string) =>
  tokenize(text).flatMap(({ text: word, startsSentence }) => (startsSentence ? [word] : []));
const matches = (phrases: string[], text: string) => {
  const matcher = new PhraseMatcher<string>();
  for (const phrase of phrases) matcher.add(phrase, phrase);
  return [...matcher.matches(tokenize(text))].map(({ value }) => value);
};

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

test('a hyphen is worth a space', () => {
  assert.deepEqual(matches(['tune up', 'mini-split'], 'A tune-up of the mini split'), [
    'tune up',
    'mini-split',
  ]);
  assert.deepEqual(matches(['up'], 'a tune-up'), []);
  assert.deepEqual(matches(['drain', 'drain cleaning'], 'drain-cleaning and drain'), [
    'drain cleaning',
    'drain',
  ]);
});
