import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readContent } from '../../../src/content/read-content.ts';
import { ReviewReader } from '../../../src/insights/analyze/review-reader.ts';
import { DATASET } from '../../support/fixtures.ts';
import { generateReviews } from '../../support/generate.ts';
import { isMet, table, type Row } from '../report.ts';
import {
  judge,
  readCategories,
  readRatedTexts,
  readTerms,
  textScore,
  type Sentence,
} from './external.ts';
import { ownGold } from './own-gold.ts';
import { restaurantPack } from './packs.ts';
import { afinnScore, PEERS, vaderScore } from './peers.ts';
import { atLeast, skipped } from './rows.ts';
import { accuracy, areaUnderCurve, macroF1 } from './scores.ts';

// npm run bench:insights [-- --external FOLDER] [--json FILE]
//   --external  a folder with absa/ and reviews/; missing files are reported as skipped

const REVIEWS = 10_000;
const { values } = parseArgs({
  options: { external: { type: 'string' }, json: { type: 'string' } },
});
const folder = values.external;

const rows: Row[] = [
  ...(await ownGold('plain', 'development')),
  ...(await ownGold('plain', 'kept-aside')),
  ...(await ownGold('hard', 'development')),
  ...(await ownGold('hard', 'kept-aside')),
  ...sentences('restaurants, categories', 0.79, 0.67, (at) =>
    readCategories(join(at, 'absa/se14_rest_train.xml')),
  ),
  ...sentences('MAMS, categories', 0.56, undefined, (at) =>
    readCategories(join(at, 'absa/mams_acsa_val.xml')),
  ),
  ...sentences('laptops, terms', 0.69, undefined, (at) =>
    readTerms(join(at, 'absa/se14_laptop_train.seg')),
  ),
  ...(await restaurantPack(folder)),
  ...['embrace', 'figo', 'lemonade'].map((name) => stars(name)),
  await speed(),
];
console.log(table(rows));
if (values.json !== undefined) {
  const shown = rows.map((row) => ({ ...row, met: isMet(row) ?? null }));
  await writeFile(values.json, `${JSON.stringify(shown, null, 2)}\n`);
}

function sentences(
  name: string,
  accuracyGoal: number,
  f1Goal: number | undefined,
  read: (folder: string) => Sentence[] | undefined,
): Row[] {
  const set = folder === undefined ? undefined : read(folder);
  if (!set) return [skipped(`${name}: accuracy`, 'gold', accuracyGoal, 'no --external folder')];
  const judgements = set.map((sentence) => ({ gold: sentence.gold, said: judge(sentence) }));
  const note = Object.entries(PEERS)
    .filter(([peer]) => peer !== 'stars only')
    .map(([peer, says]) => {
      const theirs = set.map(({ gold, text }) => ({ gold, said: says(text, 3) }));
      return `${peer} ${accuracy(theirs).toFixed(3)}/${macroF1(theirs).toFixed(3)}`;
    })
    .join(', ');
  const rows = [atLeast(`${name}: accuracy`, 'gold', accuracy(judgements), accuracyGoal, note)];
  if (f1Goal) rows.push(atLeast(`${name}: macro-F1`, 'gold', macroF1(judgements), f1Goal));
  return rows;
}

/** Measures how well words alone separate four and five stars from one and two. */
function stars(business: string): Row {
  const work = `reviews of ${business}: AUC of the text`;
  const file = folder && join(folder, `reviews/trustpilot_pet_${business}.csv`);
  const reviews = file ? readRatedTexts(file) : undefined;
  if (!reviews) return skipped(work, 'stars', 0.95, 'no --external folder');
  const good = reviews.filter(({ rating }) => rating >= 4).map(({ text }) => text);
  const bad = reviews.filter(({ rating }) => rating <= 2).map(({ text }) => text);
  const auc = (score: (text: string) => number) => areaUnderCurve(good.map(score), bad.map(score));
  const note = `AFINN ${auc(afinnScore).toFixed(3)}, VADER ${auc(vaderScore).toFixed(3)}`;
  return atLeast(work, 'stars', auc(textScore), 0.95, note);
}

/** Compares one pass of the engine over generated reviews with one of VADER. */
async function speed(): Promise<Row> {
  const { reviews, vocabulary } = await readContent(DATASET);
  const generated = [...generateReviews(reviews, REVIEWS, 1)];
  const texts = generated.flatMap(({ text }) => (text ? [text] : []));
  const ratios: number[] = [];
  let scores = 0;
  for (let round = 0; round < 3; round++) {
    const reader = new ReviewReader(vocabulary);
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

function milliseconds(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
