import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AspectFinder } from '../../src/insights/analyze/aspect-finder.ts';
import { Judge } from '../../src/insights/analyze/judge.ts';
import { sentimentLexicon } from '../../src/insights/analyze/opinions.ts';
import { polarity } from '../../src/insights/analyze/polarity.ts';
import { PolarityModel } from '../../src/insights/analyze/polarity-model.ts';
import { readText } from '../../src/insights/analyze/read-text.ts';
import { committedSets, nouns } from '../bench/insights/train/sets.ts';
import { train } from '../bench/insights/train/train.ts';
import { WEIGHTS } from '../support/engine.ts';
import { ROOT } from '../support/fixtures.ts';

const lexicon = sentimentLexicon({ words: {}, phrases: {} });
const finder = new AspectFinder([
  { id: 'pricing', terms: ['price'] },
  { id: 'staff', terms: ['crew', 'front desk'] },
]);

/** The score of the first aspect found, by a table of weights. */
function scoreOf(text: string, { table = 'bias\t0\t0\t0\n', stars = 3 } = {}): number {
  const read = readText(text, lexicon);
  const found = finder.find(read);
  const hits = found.filter(({ aspect }) => aspect === found[0]!.aspect);
  return new Judge(read, found, new PolarityModel(table)).target(hits, stars).score;
}

const withWeights = (...lines: string[]) => `bias\t0\t0\t0\n${lines.join('\n')}\n`;

test('without weights the rules decide', () => {
  assert.equal(polarity(scoreOf('A great, excellent price')), 'positive');
  assert.equal(polarity(scoreOf('A terrible, awful price')), 'negative');
  assert.equal(polarity(scoreOf('The price of the pump')), 'neutral');
});

test('a weight tips what the rules leave open, and only where its feature occurs', () => {
  const table = withWeights('w:penny\t-400\t0\t400');
  assert.equal(polarity(scoreOf('The price was right to the penny', { table })), 'positive');
  assert.equal(scoreOf('The price was on paper', { table }), scoreOf('The price was on paper'));
});

test('words about another target count less', () => {
  const table = withWeights('w:hidden\t200\t0\t-200');
  const own = scoreOf('The price was hidden', { table });
  assert.ok(own < scoreOf('The price was there, the crew was hidden', { table }));
});

test('the stars tip what opinions leave open, and say nothing where there is none', () => {
  const scores = [1, 2, 3, 4, 5].map((stars) => scoreOf('A good price', { stars }));
  const rising = scores.toSorted((a, b) => a - b);
  assert.deepEqual(scores, rising);
  const [worst, , , , best] = scores.map(polarity);
  assert.deepEqual([worst, best], ['neutral', 'positive']);
  for (const stars of [1, 2, 4, 5]) assert.equal(scoreOf('The price of the pump', { stars }), 0);
  assert.ok(scoreOf('The price is a rip off', { table: WEIGHTS, stars: 4 }) < -0.5);
  assert.ok(scoreOf('The price was great and fair', { table: WEIGHTS, stars: 2 }) > 0.5);
});

test('a score is on the side of the class that leads, and a small lead takes no side', () => {
  const neutral = withWeights('w:plain\t0\t800\t0');
  const text = 'A plain and good price';
  assert.equal(polarity(scoreOf(text, { table: neutral, stars: 5 })), 'neutral');
  const close = withWeights('w:plain\t0\t0\t8');
  assert.equal(polarity(scoreOf(text, { table: close })), 'neutral', 'a small lead');
  assert.equal(polarity(scoreOf(text, { table: close, stars: 4 })), 'positive', 'with the stars');
  const ahead = withWeights('w:plain\t0\t0\t160');
  assert.ok(scoreOf(text, { table: ahead }) > 0.5);
});

for (const [issue, table] of Object.entries({
  'no bias': 'w:good\t0\t0\t0\n',
  'a kind of feature that does not exist': withWeights('x:good\t0\t0\t0'),
  'a missing weight': withWeights('w:good\t0\t0'),
  'a weight that is no whole number': withWeights('w:good\t0\t0.5\t0'),
})) {
  test(`a table with ${issue} is refused`, () => {
    assert.throws(() => new PolarityModel(table), /weights/);
  });
}

const digestOf = (table: string) => createHash('sha256').update(table).digest('hex');

test('the labeled clauses of this repository train the small model again, byte for byte', async () => {
  const readme = readFileSync(join(ROOT, 'tests/fixtures/gold/README.md'), 'utf8');
  assert.ok(
    readme.includes(digestOf(train(await committedSets(), await nouns()))),
    'the engine reads the gold set otherwise: npx node tests/bench/insights/train/main.ts, and again with --external',
  );
});

test('the weights are the documented ones, and smaller than 100 KB', () => {
  const readme = readFileSync(join(ROOT, 'src/insights/README.md'), 'utf8');
  assert.ok(readme.includes(digestOf(WEIGHTS)));
  assert.ok(Buffer.byteLength(WEIGHTS) < 100_000);
});

test('no weight is of a noun of a taxonomy', async () => {
  const masked = await nouns();
  const words = [...WEIGHTS.matchAll(/^w:([^\t]+)/gm)].map(([, words]) => words!);
  assert.ok(words.length > 1000);
  const named = words.filter((each) => each.split(' ').some((word) => masked.has(word)));
  assert.deepEqual(named, []);
});
