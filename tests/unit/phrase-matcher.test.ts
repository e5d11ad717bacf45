import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PhraseMatcher } from '../../src/insights/analyze/phrase-matcher.ts';
import { tokenize } from '../../src/insights/analyze/tokens.ts';

function found(phrases: readonly string[], text: string): string[] {
  const matcher = new PhraseMatcher<string>();
  for (const phrase of phrases) matcher.add(phrase, phrase);
  return [...matcher.everyMatch(tokenize(text))].map(({ value }) => value);
}

test('a phrase matches complete words of one sentence', () => {
  const text = 'Drainage. No hot. Water. Hot water!';
  assert.deepEqual(found(['drain', 'hot water'], text), ['hot water']);
});

test('a hyphen is worth a space', () => {
  assert.deepEqual(found(['tune up'], 'A tune-up and a tune up.'), ['tune up', 'tune up']);
  assert.deepEqual(found(['tune-up'], 'A tune up.'), ['tune-up']);
});

test('a short form is worth its words', () => {
  const text = "It can't be; it cannot be; it won't; it would've been.";
  const phrases = ['can not be', 'will not', 'would have been'];
  assert.deepEqual(found(phrases, text), [phrases[0], ...phrases]);
  assert.deepEqual(found(["can't be"], 'It can not be.'), ["can't be"]);
});

test('a number sign is a number, in figures or words', () => {
  const text = 'Twenty minutes late, then 5 minutes late, then some minutes late.';
  assert.equal(found(['# minutes late'], text).length, 2);
});

test('the sign of a currency is a sum of money', () => {
  assert.equal(found(['$'], 'We paid $450 for 3 hours and €20 more.').length, 2);
  assert.deepEqual(found(['€ for', '£ for'], 'Waiting for news, for hours.'), []);
  assert.equal(found(['£ for'], 'They took £20 for tea.').length, 1);
});

test('a gap is up to three words of one clause, and not what follows an and', () => {
  const within = (text: string) => found(['kept … informed'], text).length;
  assert.equal(within('They kept us informed.'), 1);
  assert.equal(within('They kept my old father informed.'), 1);
  assert.equal(within('They kept the cat and were informed.'), 0);
  assert.equal(within('They kept the cat, informed.'), 0);
  assert.equal(within('They kept it. Informed.'), 0);
});

test('the longest of the matches that begin at one word comes first, or alone', () => {
  const matcher = new PhraseMatcher<string>();
  for (const phrase of ['hot', 'hot water', 'water heater']) matcher.add(phrase, phrase);
  const tokens = tokenize('hot water heater');
  const values = (matches: Iterable<{ value: string }>) => [...matches].map(({ value }) => value);
  assert.deepEqual(values(matcher.everyMatch(tokens)), ['hot water', 'hot', 'water heater']);
  assert.deepEqual(values(matcher.matches(tokens)), ['hot water']);
});
