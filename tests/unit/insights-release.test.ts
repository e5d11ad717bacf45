import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OVERALL, readPack } from '../../src/content/read-pack.ts';
import { changedInputs } from '../../src/insights/release.ts';
import type { InsightsInputs } from '../../src/schema/insights-inputs.ts';
import { PACKS } from '../../src/schema/trade.ts';
import { WEIGHTS } from '../support/engine.ts';
import { ulidOf } from '../support/reviews.ts';

const packs = await Promise.all(PACKS.map(readPack));
const restaurant = packs.find(({ label }) => label === 'Restaurant');
const release = { packs, weights: WEIGHTS };

function inputs(changes: Partial<InsightsInputs['vocabulary']> = {}): InsightsInputs {
  const { aspects, topics, problems, lexicon, trade } = restaurant!;
  const own = { technicians: [], services: [], service_areas: [] };
  const lists = { ...own, aspects: [...aspects, OVERALL], topics, problems, lexicon, trade };
  const words = { vocabulary: { ...lists, ...changes }, weights: WEIGHTS };
  return { ...words, annotations: [], faq: [], summary: null };
}

test('inputs of the program alone differ in nothing', () => {
  assert.deepEqual(changedInputs(inputs(), release), []);
});

test('names each score, list, weight and label that is not of the program', () => {
  const { lexicon, aspects } = restaurant!;
  const words = { ...lexicon.words, expensive: 5, constructor: 2 };
  const [first, ...others] = aspects;
  const own = inputs({
    lexicon: { ...lexicon, words },
    aspects: [{ ...first!, terms: [...first!.terms, 'moon'] }, ...others.slice(1)],
  });
  const made = { source: 'model', mode: 'override' as const };
  const annotation = { review_id: ulidOf(1), content_hash: '0'.repeat(16), ...made };
  const changed = { ...own, weights: `${WEIGHTS}x`, annotations: [annotation] };
  const lines = changedInputs(changed, release);
  assert.match(lines[0]!, /^lexicon: “expensive” counts 5, in the program -2 \(en\)$/);
  assert.deepEqual(lines.slice(1), [
    'lexicon: “constructor” counts 2, the program has no such word',
    `aspects: ${first!.id} has other words`,
    `aspects: ${others[0]!.id} is left out`,
    'weights: the table of the polarity model is another',
    'labels: by model (1), not by the program',
  ]);
});

test('compares words with the language they count in', () => {
  const { lexicon } = restaurant!;
  const languages = { ...lexicon.languages, fr: { words: { cher: 3, zut: -1 }, phrases: {} } };
  assert.deepEqual(changedInputs(inputs({ lexicon: { ...lexicon, languages } }), release), [
    'lexicon: “cher” counts 3, in the program -2 (fr)',
    'lexicon: “zut” counts -1, the program has no such word',
  ]);
});
