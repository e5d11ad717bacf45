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
  assert.equal(polarity(scoreOf('A great price')), 'positive');
  assert.equal(polarity(scoreOf('A terrible price')), 'negative');
  assert.equal(polarity(scoreOf('The price of the pump')), 'neutral');
});

test('a weight tips what the rules leave open, and only where its feature occurs', () => {
  const table = withWeights('w:the penny\t-200\t0\t200');
  assert.equal(polarity(scoreOf('The price was right to the penny', { table })), 'positive');
  assert.equal(scoreOf('The price was on paper', { table }), scoreOf('The price was on paper'));
});

test('a negated word is a feature of its own', () => {
  const table = withWeights('w:clear\t-200\t0\t200', 'w:! clear\t200\t0\t-200');
  assert.ok(scoreOf('The price was clear', { table }) > 0.3);
  assert.ok(scoreOf('The price was not at all clear', { table }) < -0.3);
  assert.ok(scoreOf('The price was not; it is clear', { table }) > 0, 'a clause ends a negation');
});

test('words about another target count less', () => {
  const table = withWeights('w:hidden\t200\t0\t-200');
  const own = scoreOf('The price was hidden', { table });
  assert.ok(own < scoreOf('The price was there, the crew was hidden', { table }));
});

test('the stars tip what the words leave open, one and five more than two and four', () => {
  const scores = [1, 2, 3, 4, 5].map((stars) => scoreOf('The price of the pump', { stars }));
  const [worst, bad, middle, good, best] = scores as [number, number, number, number, number];
  assert.deepEqual([middle, worst], [0, -best]);
  assert.ok(bad < -0.3 && good > 0.2 && best > 0.7, String(scores));
  assert.ok(scoreOf('The price is a rip off', { table: WEIGHTS, stars: 5 }) < -0.1);
  assert.ok(scoreOf('The price was great and fair', { table: WEIGHTS, stars: 1 }) > 0.1);
});

test('a score is on the side of the class that leads, and a small lead takes no side', () => {
  const neutral = withWeights('w:plain\t0\t200\t0');
  assert.equal(polarity(scoreOf('A plain price', { table: neutral, stars: 4 })), 'neutral');
  const close = withWeights('w:plain\t0\t0\t8');
  assert.equal(polarity(scoreOf('A plain price', { table: close })), 'neutral', 'a small lead');
  const ahead = withWeights('w:plain\t0\t0\t16');
  assert.equal(polarity(scoreOf('A plain price', { table: ahead })), 'positive');
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

test('the labeled clauses of this repository train the small model again, byte for byte', async () => {
  const table = train(await committedSets(), await nouns());
  const committed = readFileSync(join(ROOT, 'tests/fixtures/gold/polarity-weights.tsv'), 'utf8');
  assert.ok(
    table === committed,
    'the engine reads the gold set otherwise: npx node tests/bench/insights/train/main.ts, and again with --external',
  );
});

test('the weights are the documented ones, and smaller than 100 KB', () => {
  const readme = readFileSync(join(ROOT, 'src/insights/README.md'), 'utf8');
  assert.ok(readme.includes(createHash('sha256').update(WEIGHTS).digest('hex')));
  assert.ok(Buffer.byteLength(WEIGHTS) < 100_000);
});

test('no weight is of a noun of a taxonomy', async () => {
  const masked = await nouns();
  const names = WEIGHTS.trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0]!);
  const words = names.filter((name) => name.startsWith('w:'));
  assert.ok(words.length > 1000);
  const named = words.filter((name) =>
    name
      .slice(2)
      .split(' ')
      .some((word) => masked.has(word)),
  );
  assert.deepEqual(named, []);
});
