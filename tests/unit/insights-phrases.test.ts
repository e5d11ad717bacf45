import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { findPhrases } from '../../src/insights/analyze/find-phrases.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { topPhrases } from '../../src/insights/aggregate/phrases.ts';
import { phraseKey } from '../../src/insights/analyze/phrase-key.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import type { Sentiment } from '../../src/schema/insights.ts';
import { ENGLISH } from '../../src/insights/languages/languages.ts';
import { insightsOf, vocabulary, wordsOf } from '../support/engine.ts';

const lexicon = sentimentLexicon({ words: { charged: -1, hollow: -2 }, phrases: { 'easy to': 2 } });
const finder = new AspectFinder([
  { id: 'pricing', terms: ['price', 'prices', 'charged', 'fee'] },
  { id: 'staff', terms: ['crew', 'honest', 'calls', 'smelled'], phrases: ['squeezed us in'] },
]);
const phrases = (text: string, sentiment: Sentiment = 'positive') => {
  const read = readText(text, lexicon);
  return findPhrases(read, finder.find(read), () => sentiment).map(({ text: said }) => said);
};

test('a phrase joins a thing with an opinion of it', () => {
  assert.deepEqual(phrases('We got a great price.'), ['great price']);
  assert.deepEqual(phrases('The price was very fair'), ['price was very fair']);
  assert.deepEqual(phrases('It is easy to reach the crew'), ['easy to reach the crew']);
  assert.deepEqual(phrases('no bad prices so far'), ['no bad prices']);
});

test('a phrase has a plain opinion: no faint word, and no negation alone', () => {
  assert.deepEqual(phrases('They charged a fee.', 'negative'), []);
  assert.deepEqual(phrases('I never saw the crew.', 'negative'), []);
  assert.deepEqual(phrases('a hollow price', 'negative'), ['hollow price']);
  assert.deepEqual(phrases('everyone was friendly Crew at the door'), []);
});

test('a phrase does not break off', () => {
  assert.deepEqual(phrases('They gave me an honest answer'), []);
  assert.deepEqual(phrases('with an easy price list'), ['easy price']);
  assert.deepEqual(phrases('They happily squeezed us in at six'), ['happily squeezed us in']);
  assert.deepEqual(phrases('a fair price of 90 dollars'), ['fair price']);
  assert.deepEqual(phrases('They answer my calls quickly'), []);
});

test('words that do not belong together are no phrase', () => {
  assert.deepEqual(phrases('The price they had in fair weather'), []);
  assert.deepEqual(phrases('They apologised for the holiday price', 'negative'), []);
  assert.deepEqual(phrases('a great house, the price'), []);
  assert.deepEqual(phrases('"great" price'), []);
  assert.deepEqual(phrases('thanks crew'), []);
  assert.deepEqual(phrases('not that they were kind crew', 'negative'), []);
  assert.deepEqual(phrases('a broken honest', 'negative'), []);
  assert.deepEqual(phrases('prices are really very very very fair'), []);
});

test('a phrase says its side without the rest of its sentence', () => {
  assert.deepEqual(phrases('The office was honest'), []);
  assert.deepEqual(phrases('prices could be good'), []);
  const denied = phrases('The crew could not be helpful', 'negative');
  assert.deepEqual(denied, ['crew could not be helpful']);
  assert.deepEqual(phrases('easily with the crew'), []);
  assert.deepEqual(phrases('scared me at this price', 'negative'), []);
});

test('a phrase of a text without full stops ends where the next thing begins', () => {
  assert.deepEqual(phrases('prices excellent breakfast'), []);
  assert.deepEqual(phrases('an honest awful place', 'negative'), []);
  assert.deepEqual(phrases('great prices crew'), ['great prices']);
  assert.deepEqual(phrases('those prices 😍'), []);
});

test('the commonest wording of a phrase stays; a longer one of no more weight goes', () => {
  const shorter = ['Fair price', 'fair prices', 'fair prices', 'price was very fair'];
  const said = [...shorter, 'fair repair price', 'no fair price'].map(insightsPhrase);
  assert.deepEqual(topTexts(said, 5), ['fair prices', 'no fair price']);
});

test('a phrase that occurs once is left out beside enough frequent ones', () => {
  const twice = ['fair price', 'tidy crew', 'honest advice'].flatMap((text) => [text, text]);
  const said = [...twice, 'kind voice'].map(insightsPhrase);
  assert.deepEqual(topTexts(said, 8), ['honest advice', 'tidy crew', 'fair price']);
  assert.deepEqual(topPhrases(said.slice(2), 8).length, 3);
});

test('a phrase in capitals that occurs once is left out beside others', () => {
  const said = ['fair price', 'GREAT CREW'].map(insightsPhrase);
  assert.deepEqual(topTexts(said, 8), ['fair price']);
  assert.deepEqual(topTexts(said.slice(1), 8), ['GREAT CREW']);
});

test('a topic shows the phrases that name it, not those beside it', () => {
  const words = vocabulary({
    aspects: [{ id: 'pricing', label: 'Pricing', terms: ['price', 'prices'] }],
    topics: [
      { id: 'sheds', label: 'Sheds', terms: ['shed'], exclude: ['shed light'] },
      { id: 'shed-prices', label: 'Prices of sheds', terms: ['shed price'] },
    ],
  });
  const { topics } = insightsOf(words, [
    [5, 'A great shed price, and later the shed was there at a good price.'],
    [5, 'They shed light on a fair price.'],
  ]);
  for (const { review_count: count, top_phrases: shown } of topics) {
    assert.deepEqual([count, shown], [1, ['great shed price']]);
  }
  assert.equal(topics.length, 2);
});

test('the wordings of a phrase are those of its language', async () => {
  const { aspects } = insightsOf(await wordsOf('restaurant'), [
    [5, 'Die Suppe war köstlich.', 'de'],
    [5, 'Köstliche Suppen!', 'de'],
  ]);
  const { top_phrases } = aspects.find(({ id }) => id === 'food')!;
  assert.deepEqual(top_phrases, ['Suppe war köstlich']);
});

const topTexts = (...given: Parameters<typeof topPhrases>) =>
  topPhrases(...given).map(({ text }) => text);

function insightsPhrase(text: string) {
  const read = readText(text, lexicon);
  const [phrase] = findPhrases(read, [{ aspect: 'a', at: 0, length: read.tokens.length }], () =>
    read.opinions[0]!.score > 0 ? 'positive' : 'negative',
  );
  return { ...phrase!, key: phraseKey(read.tokens, ENGLISH) };
}
