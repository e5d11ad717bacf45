import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOpinions, sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { labelAspects } from '../../src/insights/analyze/aspect-labels.ts';
import { Judge } from '../../src/insights/analyze/judge.ts';
import { PolarityModel } from '../../src/insights/analyze/polarity-model.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import { tokenize } from '../../src/insights/analyze/tokens.ts';
import { fillSummary, UnknownPlaceholderError } from '../../src/insights/aggregate/summary.ts';
import { readingsOf, vocabulary, WEIGHTS } from '../support/engine.ts';

const lexicon = sentimentLexicon({ words: {}, phrases: { 'on time': 2, 'hours late': -3 } });
const finder = new AspectFinder([
  { id: 'punctuality', terms: ['late'], phrases: ['on time'], exclude: ['late fee'] },
  { id: 'pricing', terms: ['price', 'fee'] },
  { id: 'workmanship', terms: ['work'] },
]);
const model = new PolarityModel(WEIGHTS);
const sum = (text: string) =>
  findOpinions(tokenize(text), lexicon).reduce((total, { score }) => total + score, 0);
const aspectsIn = (text: string, finder: AspectFinder) =>
  finder.find(readText(text, lexicon)).map(({ aspect }) => aspect);
const label = (text: string, stars = 3) => {
  const read = readText(text, lexicon);
  const found = finder.find(read);
  const labels = labelAspects(new Judge(read, found, model), found, stars);
  return Object.fromEntries(labels.map((found) => [found.id, found]));
};

test('a negation turns what follows it within four words, and no farther', () => {
  assert.ok(sum('It was good') > 0);
  assert.ok(sum('It was not good') < 0);
  assert.ok(sum('It was not what I would call good') < sum('It was what I would call good'));
  assert.ok(sum('no problems') > 0);
  assert.ok(sum('He did not come. Good') > sum('He did not come'));
});

test('"could not have been better" is praise, in any form', () => {
  const past = ['could not have been nicer', 'couldn’t have gone more smoothly'];
  for (const text of [...past, "couldn't be friendlier", "couldn't be any kinder"]) {
    assert.ok(sum(`They ${text}`) >= 4, text);
  }
});

test('a negation that negates no opinion counts against', () => {
  assert.ok(sum('They never called') < 0);
});

test('a "but" begins another opinion', () => {
  const labels = label('Great work but hours late');
  assert.equal(labels.workmanship?.sentiment, 'positive');
  assert.equal(labels.punctuality?.sentiment, 'negative');
});

test('an opinion after a but counts less for what is before it', () => {
  const { workmanship, pricing } = label('The work shows, but in a price that was terrible');
  assert.equal(pricing?.sentiment, 'negative');
  assert.ok(workmanship!.score > pricing!.score);
});

test('a subject counts only where its clause says something good or bad', () => {
  const finder = new AspectFinder([{ id: 'workmanship', terms: ['sloppy'], subjects: ['repair'] }]);
  const found = (text: string) => finder.find(readText(text, lexicon)).length;
  assert.equal(found('A repair in spring.'), 0);
  assert.equal(found('A wonderful repair in spring.'), 1);
  assert.equal(found('We had a repair, and the weather was wonderful.'), 0);
});

test('a subject yields to a term of another aspect in its clause', () => {
  const finder = new AspectFinder([
    { id: 'workmanship', terms: ['sloppy'], subjects: ['repair'] },
    { id: 'pricing', terms: ['price'] },
  ]);
  assert.deepEqual(aspectsIn('A great price for the repair.', finder), ['pricing']);
  const both = aspectsIn('A great repair, and a good price.', finder);
  assert.deepEqual(both, ['workmanship', 'pricing']);
});

test('a few words that only judge are about the business', () => {
  const finder = new AspectFinder([
    { id: 'overall', terms: ['recommend'] },
    { id: 'pricing', terms: ['price'] },
  ]);
  const found = (text: string) => aspectsIn(text, finder);
  for (const text of ['Great!', 'Not happy.', 'They were great.', 'We recommend them.']) {
    assert.deepEqual(found(text), ['overall']);
  }
  const others = ['Great price!', 'Amazing mural.', 'She was great.', 'Thank you!', 'In May.'];
  for (const text of [...others, 'A wonderful dinner at home with friends.']) {
    assert.ok(!found(text).includes('overall'), text);
  }
});

test('the business is judged beside its aspects', () => {
  const finder = new AspectFinder([
    { id: 'overall', terms: ['recommend'], subjects: ['hotel', 'claim'] },
    { id: 'staff', terms: ['staff'] },
  ]);
  const found = (text: string) => aspectsIn(text, finder);
  assert.deepEqual(found('A lovely hotel with friendly staff.'), ['overall', 'staff']);
  assert.deepEqual(found('Making a claim is so easy.'), ['overall']);
  for (const text of [
    'The hotel has friendly staff.',
    'No hotel staff.',
    'The pool was great. Hotel staff.',
  ]) {
    assert.deepEqual(found(text), ['staff'], text);
  }
});

test('against one and five stars only what says its side alone counts', () => {
  assert.equal(label('A terrible price.', 5).pricing?.sentiment, 'negative');
  assert.equal(label('A great price.', 1).pricing?.sentiment, 'positive');
  const unclear = 'A great price, I thought, if it had worked.';
  assert.equal(label(unclear, 1).pricing?.sentiment, 'neutral');
});

test('praise of something elsewhere, or of something that was not so, is none', () => {
  const side = (text: string) => label(text).workmanship?.sentiment;
  assert.equal(side('The work would have been excellent if it had been beautiful.'), 'negative');
  assert.equal(side('I cannot say that the work was great.'), 'negative');
  assert.equal(side('The work could not have been better. Great work.'), 'positive');
  assert.equal(side('The company across the street did excellent work.'), undefined);
  assert.equal(side('If you want excellent work, go somewhere else.'), undefined);
  assert.equal(side('Excellent, beautiful work, better than the company next door.'), 'positive');
  assert.equal(side('They said "excellent work, the best in town".'), undefined);
});

test('an emoji is an opinion of its sentence, also behind the full stop', () => {
  assert.ok(sum('The work 😍') > 0 && sum('The work 👎🏻👎🏻') < 0);
  const labels = label('The work was done. 😡😡 The price is great, excellent.');
  assert.equal(labels.pricing?.sentiment, 'positive');
  assert.equal(labels.workmanship?.sentiment, 'negative');
});

test('a review is read in every variety of a language that is known, and in no other', () => {
  const words = vocabulary({ aspects: [{ id: 'pricing', label: 'Pricing', terms: ['price'] }] });
  const languages = [undefined, 'en', 'en-US', 'en-Latn-GB', 'es', 'es-MX', 'enm', 'it'];
  const texts = languages.map((language) => ({ language, text: 'A good price, excelente' }));
  const readings = readingsOf(words, texts);
  const read = languages.filter((_, index) => readings[index]!.aspects.length > 0);
  assert.deepEqual(read, [undefined, 'en', 'en-US', 'en-Latn-GB', 'es', 'es-MX']);
});

test('a summary takes counted values, and refuses a name that has none', () => {
  const values = { aspects: { punctuality: { positive_pct: 91.5, score: null } } };
  assert.equal(fillSummary('{{ aspects.punctuality.positive_pct }} %', values), '91.5 %');
  for (const path of ['aspects.none.positive_pct', 'aspects.punctuality.score', 'aspects', '']) {
    assert.throws(() => fillSummary(`{{${path}}}`, values), UnknownPlaceholderError);
  }
});
