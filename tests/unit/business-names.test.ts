import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBusinessName } from '../../src/content/business-name.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import { insightsOf, vocabulary } from '../support/engine.ts';

const OVERALL = [{ id: 'overall', label: 'Overall', terms: ['recommend'] }];
const named = (name: string) => withBusinessName(vocabulary({ aspects: OVERALL }), name);
const opinions = (name: string, text: string) => {
  const { aspects, lexicon } = named(name);
  const read = readText(text, sentimentLexicon(lexicon, aspects));
  return read.opinions.map(({ at, length }) =>
    read.tokens
      .slice(at, at + length)
      .map((token) => token.text)
      .join(' '),
  );
};

for (const [name, text] of [
  ['Embrace Pet Insurance', 'Embrace Pet Insurance is my insurer.'],
  ['Embrace Pet Insurance', 'we have embrace pet insurance'],
  ['Embrace Pet Insurance', 'Embrace raised my monthly.'],
  ['The Comfort Inn & Suites', 'Back at the Comfort Inn and Suites.'],
  ['The Comfort Inn & Suites', 'Comfort always has rooms.'],
  ['Superior Plumbing', 'SUPERIOR WAS HERE.'],
  ['Never Late Movers', 'Never Late Movers came at ten.'],
] as const) {
  test(`${name} is no opinion: ${text}`, () => assert.deepEqual(opinions(name, text), []));
}

for (const [name, text, opinion] of [
  ['Superior Plumbing', 'Superior service!', 'Superior'],
  ['Superior Plumbing', 'They have superior parts.', 'superior'],
  ['Superior Plumbing', 'Superior Service From Real People', 'Superior'],
  ['Never Late Movers', 'Never mentioned a bill.', 'Never'],
  ['Figo', 'Superior was great', 'Superior'],
] as const) {
  test(`with ${name}, still an opinion: ${text}`, () =>
    assert.ok(opinions(name, text).includes(opinion)));
}

test('a name reads like one without an opinion word', () => {
  const read = (name: string) => {
    const pricing = { id: 'pricing', label: 'Pricing', terms: ['monthly'] };
    const aspects = [...OVERALL, pricing];
    const words = withBusinessName(vocabulary({ aspects }), `${name} Pet Insurance`);
    const { per_review } = insightsOf(words, [
      [3, `${name} raised my monthly.`],
      [3, `I was disappointed with ${name} Pet Insurance.`],
      [3, `${name} Pet was great.`],
      [3, `I recommend that ${name} looks at its monthly rates.`],
    ]);
    return Object.values(per_review).map(({ aspects }) =>
      aspects.map(({ id, sentiment, score }) => ({ id, sentiment, score })),
    );
  };
  const plain = read('Figo');
  const counts = plain.map((labels) => labels.length);
  assert.deepEqual(counts, [1, 1, 1, 2]);
  for (const name of ['Embrace', 'Superior', 'Awful']) {
    assert.deepEqual(read(name), plain, name);
  }
});
