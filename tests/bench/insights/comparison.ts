import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPack } from '../../../src/content/read-pack.ts';
import type { Vocabulary } from '../../../src/schema/vocabulary.ts';
import { polarity } from '../../../src/insights/analyze/polarity.ts';
import { CLASSES, type PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import { markdownTable } from '../report.ts';
import { mentionsOf, readGold, tradeMentions, type Half } from './gold.ts';
import { PEERS } from './peers.ts';
import { accuracy, macroF1, reversed, type Judgements } from './scores.ts';
import {
  categoryOf2014,
  judgeMention,
  readAspectTerms,
  readCategories,
  readPraiseAndBlame,
  readQuadruples,
  type Mention,
} from './sets.ts';

/** A labeled set with what each method says of its mentions. */
export interface Compared {
  set: string;
  mentions: readonly Mention[];
  /** By method. */
  judgements: Readonly<Record<string, Judgements>>;
}

const hotel = await readPack('hotel');

/** The sets of other projects: a file below the folder, and its reader. */
const EXTERNAL: Readonly<Record<string, [file: string, read: (file: string) => Mention[]]>> = {
  'MAMS val, categories': ['absa/mams_acsa_val.xml', readCategories],
  'MAMS val, terms': ['absa/mams_atsa_val.xml', readAspectTerms],
  'SemEval-2014 restaurants': ['absa/se14_rest_train.xml', readCategories],
  'SemEval-2016 restaurants': [
    'absa/se16_rest_train.xml',
    (file) => readCategories(file, categoryOf2014),
  ],
  'MEMD restaurants, terms': ['absa/memd_restaurant_train.json', readQuadruples],
  'MEMD hotels, terms': ['absa/memd_hotel_train.json', readQuadruples],
  'hotels, praise and blame': [
    'reviews/hotels_praise_blame.csv',
    (file) => readPraiseAndBlame(file, hotel),
  ],
};

/**
 * Judges every set by every method.
 *
 * @param halves of the project's own sets
 * @param folder of the sets of other projects; without it only the project's own are compared
 */
export async function compareSets(
  vocabulary: Vocabulary,
  model: PolarityModel,
  halves: readonly Half[],
  folder: string | undefined,
): Promise<Compared[]> {
  const own = (['plain', 'hard'] as const).flatMap((set) =>
    halves.map((half): [string, Mention[]] => [
      `own ${set}, ${half}`,
      mentionsOf(readGold(set, half), vocabulary),
    ]),
  );
  const trades = await Promise.all(
    halves.map(async (half) => [`own trades, ${half}`, await tradeMentions(half)] as const),
  );
  const external = Object.entries(EXTERNAL).flatMap(
    ([set, [file, read]]): [string, Mention[]][] => {
      const path = join(folder ?? '', file);
      return folder !== undefined && existsSync(path) ? [[set, read(path)]] : [];
    },
  );
  return [...own, ...trades, ...external].map(([set, mentions]) => {
    return { set, mentions, judgements: judgeAll(mentions, model) };
  });
}

function judgeAll(mentions: readonly Mention[], model: PolarityModel): Compared['judgements'] {
  const judged = mentions.map((mention) => judgeMention(mention, model));
  const by = (says: (mention: Mention, at: number) => Judgements[number]['said']) =>
    mentions.map((mention, at) => ({ gold: mention.gold, said: says(mention, at) }));
  const sizes = CLASSES.map((one) => mentions.filter(({ gold }) => gold === one).length);
  const majority = CLASSES[sizes.indexOf(Math.max(...sizes))]!;
  const peers = Object.entries(PEERS).map(([name, says]): [string, Judgements] => [
    name,
    by(({ text, stars }) => says(text.text, stars)),
  ]);
  return {
    majority: by(() => majority),
    ...Object.fromEntries(peers),
    rules: by((_, at) => polarity(judged[at]!.rules)),
    model: by((_, at) => polarity(judged[at]!.score)),
  };
}

/** Prints accuracy and macro-F1 of each method, and how often the model says the opposite. */
export function comparisonTable(compared: readonly Compared[]): string {
  const methods = Object.keys(compared[0]!.judgements);
  const hasStars = ({ mentions }: Compared) => mentions.some(({ stars }) => stars !== 3);
  const rows = compared.map((one) => [
    one.set,
    String(one.mentions.length),
    ...methods.map((method) =>
      method === 'stars only' && !hasStars(one)
        ? ''
        : `${accuracy(one.judgements[method]!).toFixed(3)} / ${macroF1(one.judgements[method]!).toFixed(3)}`,
    ),
    reversed(one.judgements.model!).toFixed(3),
  ]);
  const head = ['set', 'mentions', ...methods, 'model reversed'];
  return markdownTable(head, rows);
}
