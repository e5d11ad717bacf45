import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPack } from '../../../src/content/read-pack.ts';
import { AspectFinder } from '../../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../../src/insights/analyze/opinions.ts';
import { readText } from '../../../src/insights/analyze/read-text.ts';
import type { Row } from '../report.ts';
import { readCategoryNames } from './sets.ts';
import { atLeast, skipped } from './rows.ts';

/** Aspects of the restaurant pack by the category of SemEval-2014 and MAMS that contains them. */
const CATEGORY_OF: Record<string, string> = {
  food: 'food',
  drinks: 'food',
  service: 'service',
  staff: 'service',
  waiting: 'service',
  price: 'price',
  atmosphere: 'ambience',
  ambience: 'ambience',
};
const SETS = { 'SemEval-2014': 'absa/se14_rest_train.xml', MAMS: 'absa/mams_acsa_val.xml' };

/** Measures how well the words of the restaurant pack find the categories of sentences. */
export async function restaurantPack(folder: string | undefined): Promise<Row[]> {
  const { aspects, lexicon } = await readPack('restaurant');
  const finder = new AspectFinder(aspects);
  const scores = sentimentLexicon(lexicon);
  const find = (text: string) => finder.find(readText(text, scores)).map(({ aspect }) => aspect);
  return Object.entries(SETS).flatMap(([name, file]) => {
    const work = `restaurant pack finds, ${name}`;
    const path = join(folder ?? '', file);
    if (folder === undefined || !existsSync(path)) {
      return [skipped(work, 'gold', 0.89, 'no such file in --external')];
    }
    let right = 0;
    let said = 0;
    let labeled = 0;
    for (const [text, names] of readCategoryNames(path)) {
      const gold = categories(names);
      const found = categories(find(text));
      right += found.intersection(gold).size;
      said += found.size;
      labeled += gold.size;
    }
    return [
      atLeast(`${work}: precision`, 'gold', right / said, 0.89),
      atLeast(`${work}: recall`, 'gold', right / labeled, 0.73),
    ];
  });
}

function categories(names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => CATEGORY_OF[name] ?? []));
}
