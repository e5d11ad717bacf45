import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readContent } from '../../../src/content/read-content.ts';
import { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import { DATASET } from '../../support/fixtures.ts';
import { processorTimeOf } from '../../support/processor-time.ts';
import { median } from '../../support/statistics.ts';
import { atLeast, atMost, saveRows, skipped, table, type Row } from '../report.ts';
import { compareSets, comparisonTable } from './comparison.ts';
import type { Half } from './gold.ts';
import { ownGold } from './own-gold.ts';
import { vaderScore } from './peers.ts';
import { accuracy, reversed } from './scores.ts';
import { readUnpunctuated } from './sets.ts';
import { tradeGold } from './trade-gold.ts';

// npx node tests/bench/insights/main.ts [--external FOLDER] [--kept-aside] [--json FILE]
//   --external    a folder with absa/ and reviews/; missing files are reported as skipped
//   --kept-aside  also measures the kept-aside halves of the own sets; only for a final measurement

const HOTELS = 'reviews/hotels_praise_blame.csv';
const ROUNDS = 3;
const { values } = parseArgs({
  options: {
    external: { type: 'string' },
    'kept-aside': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const folder = values.external;
const halves: Half[] = values['kept-aside'] ? ['development', 'kept-aside'] : ['development'];
const { vocabulary, weights } = await readContent(DATASET);
const model = new PolarityModel(weights);

const compared = await compareSets(vocabulary, model, halves, folder);
console.log(`Accuracy / macro-F1\n\n${comparisonTable(compared)}\n`);
const rows: Row[] = [
  ...(['plain', 'hard'] as const).flatMap((set) =>
    halves.flatMap((half) => ownGold(set, half, vocabulary, model)),
  ),
  ...(await Promise.all(halves.map((half) => tradeGold(half, model)))).flat(),
  goal('SemEval-2014 restaurants', 'accuracy', 0.73),
  goal('SemEval-2016 restaurants', 'accuracy', 0.74),
  goal('MEMD restaurants, terms', 'accuracy', 0.75),
  goal('hotels, praise and blame', 'accuracy', 0.83),
  goal('SemEval-2014 restaurants', 'reversed', 0.06),
  goal('SemEval-2016 restaurants', 'reversed', 0.06),
  goal('MEMD restaurants, terms', 'reversed', 0.06),
  goal('hotels, praise and blame', 'reversed', 0.06),
  speed(),
];
console.log(table(rows));
if (values.json !== undefined) await saveRows(values.json, rows);

function goal(set: string, measure: 'accuracy' | 'reversed', value: number): Row {
  const judgements = compared.find((one) => one.set === set)?.judgements.model;
  const work = `${set}: ${measure}`;
  if (!judgements) return skipped(work, 'gold');
  if (measure === 'reversed') return atMost(work, 'gold', reversed(judgements), value);
  return atLeast(work, 'gold', accuracy(judgements), value);
}

/** Compares one pass of the engine over text without punctuation with one of VADER. */
function speed(): Row {
  const work = 'insights on unpunctuated text';
  const file = join(folder ?? '', HOTELS);
  if (folder === undefined || !existsSync(file)) {
    return skipped(work, 'one VADER pass');
  }
  const texts = readUnpunctuated(file);
  const reader = new ReviewReader(vocabulary, model);
  const read = (text: string) => reader.read({ title: null, text, rating: 3 });
  const ratios = Array.from({ length: ROUNDS }, () => {
    const engine = processorTimeOf(() => texts.forEach(read));
    return engine / processorTimeOf(() => texts.forEach(vaderScore));
  });
  return atMost(work, 'one VADER pass', median(ratios), 0.5);
}
