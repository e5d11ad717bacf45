import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readContent } from '../../../src/content/read-content.ts';
import { Judge } from '../../../src/insights/analyze/judge.ts';
import { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import { readText } from '../../../src/insights/analyze/read-text.ts';
import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import { DATASET } from '../../support/fixtures.ts';
import { generateReviews } from '../../support/generate.ts';
import { isMet, table, type Row } from '../report.ts';
import { readAnnotations, writeGoldDataset } from './annotated-gold.ts';
import { compareSets, comparisonTable } from './comparison.ts';
import { worstFalseAlarm } from './false-alarms.ts';
import type { Half } from './gold.ts';
import { ownGold } from './own-gold.ts';
import { restaurantPack } from './packs.ts';
import { afinnScore, vaderScore } from './peers.ts';
import { atLeast, atMost, skipped } from './rows.ts';
import { accuracy, areaUnderCurve, macroF1, reversed } from './scores.ts';
import { PLAIN_LEXICON, readRatedTexts } from './sets.ts';
import { tradeGold } from './trade-gold.ts';

// npx node tests/bench/insights/main.ts [--external FOLDER] [--kept-aside] [--json FILE]
// npx node tests/bench/insights/main.ts --write-gold FOLDER | --annotations FILE
//   --external    a folder with absa/ and reviews/; missing files are reported as skipped
//   --kept-aside  also measures the kept-aside halves of the own sets; only for a final measurement
//   --write-gold  writes the gold set as a dataset, for `npm run reviews -- annotate`, and measures nothing
//   --annotations measures only these annotations of it, a line each

const REVIEWS = 10_000;
const SETS = ['plain', 'hard'] as const;
const { values } = parseArgs({
  options: {
    external: { type: 'string' },
    'kept-aside': { type: 'boolean', default: false },
    json: { type: 'string' },
    annotations: { type: 'string' },
    'write-gold': { type: 'string' },
  },
});
const folder = values.external;
const halves: Half[] = values['kept-aside'] ? ['development', 'kept-aside'] : ['development'];
const { reviews, vocabulary, weights } = await readContent(DATASET);
const model = new PolarityModel(weights);
if (values['write-gold'] !== undefined) {
  console.log(`${await writeGoldDataset(values['write-gold'])} reviews written`);
  process.exit();
}
if (values.annotations !== undefined) {
  const annotations = await readAnnotations(values.annotations);
  const rows = SETS.flatMap((set) =>
    halves.flatMap((half) => ownGold(set, half, vocabulary, model, annotations)),
  );
  if (rows.length === 0) throw new Error('no annotation is of a text of the gold set');
  console.log(table(rows));
  process.exit();
}

const compared = await compareSets(vocabulary, model, halves, folder);
console.log(`Accuracy / macro-F1\n\n${comparisonTable(compared)}\n`);
const rows: Row[] = [
  ...SETS.flatMap((set) => halves.flatMap((half) => ownGold(set, half, vocabulary, model))),
  ...(await Promise.all(halves.map((half) => tradeGold(half, model)))).flat(),
  goal('SemEval-2014 restaurants', 'accuracy', 0.82),
  goal('SemEval-2016 restaurants', 'accuracy', 0.82),
  goal('MEMD restaurants, terms', 'accuracy', 0.885),
  goal('hotels, praise and blame', 'accuracy', 0.87),
  goal('hotels, praise and blame', 'reversed', 0.1),
  ...(await restaurantPack(folder)),
  ...['embrace', 'figo', 'lemonade'].map((name) => stars(name)),
  atMost('trend without a change', 'false alarms', worstFalseAlarm(), 0.1),
  speed(),
];
console.log(table(rows));
if (values.json !== undefined) {
  const shown = rows.map((row) => ({ ...row, met: isMet(row) ?? null }));
  await writeFile(values.json, `${JSON.stringify(shown, null, 2)}\n`);
}

function goal(set: string, measure: 'accuracy' | 'macro-F1' | 'reversed', value: number): Row {
  const judgements = compared.find((one) => one.set === set)?.judgements.model;
  const work = `${set}: ${measure}`;
  if (!judgements) return skipped(work, 'gold', value, 'no such file in --external');
  if (measure === 'reversed') return atMost(work, 'gold', reversed(judgements), value);
  return atLeast(work, 'gold', (measure === 'accuracy' ? accuracy : macroF1)(judgements), value);
}

/** Measures how well words alone separate four and five stars from one and two. */
function stars(business: string): Row {
  const work = `reviews of ${business}: AUC of the text`;
  const file = join(folder ?? '', `reviews/trustpilot_pet_${business}.csv`);
  if (folder === undefined || !existsSync(file)) {
    return skipped(work, 'stars', 0.95, 'no such file in --external');
  }
  const rated = readRatedTexts(file);
  const good = rated.filter(({ rating }) => rating >= 4).map(({ text }) => text);
  const bad = rated.filter(({ rating }) => rating <= 2).map(({ text }) => text);
  const auc = (score: (text: string) => number) => areaUnderCurve(good.map(score), bad.map(score));
  const note = `AFINN ${auc(afinnScore).toFixed(3)}, VADER ${auc(vaderScore).toFixed(3)}`;
  return atLeast(work, 'stars', auc(textScore), 0.95, note);
}

function textScore(text: string): number {
  return new Judge(readText(text, PLAIN_LEXICON), [], model).all(3).score;
}

/** Compares one pass of the engine over generated reviews with one of VADER. */
function speed(): Row {
  const generated = [...generateReviews(reviews, REVIEWS, 1)];
  const texts = generated.flatMap(({ text }) => (text ? [text] : []));
  const ratios: number[] = [];
  let scores = 0;
  for (let round = 0; round < 3; round++) {
    const reader = new ReviewReader(vocabulary, model);
    const engine = milliseconds(() => generated.forEach((review) => reader.read(review)));
    const peer = milliseconds(() => texts.forEach((text) => (scores += vaderScore(text))));
    ratios.push(engine / peer);
  }
  const ratio = ratios.sort((a, b) => a - b)[1]!;
  const note = `mean VADER score ${(scores / texts.length / 3).toFixed(2)}`;
  return {
    work: '10,000 reviews',
    against: 'one VADER pass',
    ratio,
    goal: { is: 'most', value: 0.5 },
    note,
  };
}

/** Measures the time of the processor, which other processes disturb less. */
function milliseconds(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
