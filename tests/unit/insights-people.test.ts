import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insightsOf, vocabulary } from '../support/engine.ts';

const words = vocabulary({
  technicians: [
    { id: 'luis', name: 'Luis Ortega', aliases: ['Luis'] },
    { id: 'hank', name: 'Hank Lund', aliases: ['Hank'] },
  ],
  aspects: [
    { id: 'punctuality', label: 'Punctuality', terms: ['late', 'arrived'] },
    { id: 'pricing', label: 'Pricing', terms: ['price', 'bill'] },
    { id: 'workmanship', label: 'Workmanship', terms: ['repair', 'work'] },
  ],
});
const opinionsIn = (text: string, stars = 1) =>
  Object.values(insightsOf(words, [[stars, text]]).per_review)[0]!.technician_opinions;
const sideOf = (text: string, stars = 1) => opinionsIn(text, stars)[0]?.sentiment;

for (const text of [
  'A horrible week without heat. To be fair, once Luis came he was great.',
  'Rude office, terrible price, but Luis was wonderful.',
  'The crew arrived late and left a mess. Luis came the next day. He was excellent.',
  'Awful company. Luis was the only one who cared, and he was kind.',
]) {
  test(`praise of a person in a bad review is praise: ${text}`, () => {
    assert.equal(sideOf(text), 'positive');
  });
}

for (const text of [
  'Luis was rude.',
  'Then Luis came. He was very unprofessional.',
  'We had a terrible experience with Luis.',
]) {
  test(`criticism of a person is found: ${text}`, () => assert.equal(sideOf(text, 5), 'negative'));
}

for (const text of [
  'The crew arrived late and was rude. Luis did the estimate.',
  'Luis fixed the awful leak.',
  'Luis apologized for the terrible delay.',
  'Luis said the furnace was dead.',
  'Luis refused a coffee.',
  'Luis came, the price was horrible.',
  'Luis came. My husband said he was rude.',
  'The last company was rude. Luis came on Monday.',
  'We had a terrible experience all of that week with Luis.',
]) {
  test(`a person is not blamed for something else: ${text}`, () => {
    assert.notEqual(sideOf(text), 'negative');
  });
}

for (const text of ['Luis worked around the cake table.', 'Luis fixed the furnace.']) {
  test(`an act of a person is no opinion of that person: ${text}`, () => {
    assert.deepEqual(opinionsIn(text, 5), []);
  });
}

test('each of two people has the opinions of the clauses about that person', () => {
  const text = 'Hank was rude to my wife. Luis was wonderful and he explained everything.';
  const found = opinionsIn(text).map(({ id, sentiment }) => `${id} ${sentiment}`);
  assert.deepEqual(found, ['hank negative', 'luis positive']);
});

test('criticism is never quoted with a name, praise is quoted as written', () => {
  assert.equal(opinionsIn('Luis was rude.')[0]!.quote, null);
  assert.equal(opinionsIn('Luis was wonderful!', 4)[0]!.quote, 'Luis was wonderful!');
  assert.equal(opinionsIn('Luis was wonderful!', 2)[0]!.quote, null, 'a low review names nobody');
});

test('the counts of a person are opinions, beside the reviews that mention the person', () => {
  const { technicians } = insightsOf(words, [
    [1, 'A horrible company, but Luis was great.'],
    [5, 'Luis came on Monday.'],
    [5, 'Luis was wonderful.'],
    [2, 'Luis was rude.'],
  ]).entities;
  const luis = technicians.find(({ id }) => id === 'luis')!;
  assert.deepEqual([luis.mention_count, luis.opinion_count, luis.average_rating], [4, 3, 3.25]);
  assert.deepEqual([luis.positive_count, luis.neutral_count, luis.negative_count], [2, 1, 1]);
});

test('from five opinions on, the score is their net share', () => {
  const praise = Array.from({ length: 4 }, (): [number, string] => [1, 'Luis was great.']);
  const { technicians } = insightsOf(words, [...praise, [5, 'Luis was rude.']]).entities;
  assert.equal(technicians[0]!.score, 0.6);
  assert.equal(insightsOf(words, praise).entities.technicians[0]!.score, null);
});
