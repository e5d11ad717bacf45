import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AspectFinder } from '../../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../../src/insights/analyze/opinions.ts';
import { readText } from '../../../src/insights/analyze/read-text.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import type { Vocabulary } from '../../../src/schema/vocabulary.ts';
import { ROOT } from '../../support/fixtures.ts';
import type { Mention } from './sets.ts';

/** A labeled piece of a review. */
export interface GoldItem {
  id: string;
  stars: number;
  text: string;
  aspects: Record<string, Sentiment>;
  technicians: string[];
  services: string[];
  service_areas: string[];
}

export type Half = 'development' | 'kept-aside';

/** Reads one half of a gold set of `tests/fixtures/gold`. */
export function readGold(set: 'plain' | 'hard', half: Half): GoldItem[] {
  const lines = readFileSync(join(ROOT, `tests/fixtures/gold/${set}/${half}.jsonl`), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldItem);
}

/** Returns the labeled aspects that the engine finds. */
export function mentionsOf(items: readonly GoldItem[], vocabulary: Vocabulary): Mention[] {
  const lexicon = sentimentLexicon(vocabulary.lexicon);
  const finder = new AspectFinder(vocabulary.aspects);
  return items.flatMap((item) => {
    const text = readText(item.text, lexicon);
    const found = finder.find(text);
    const byAspect = Map.groupBy(found, ({ aspect }) => aspect);
    return Object.entries(item.aspects).flatMap(([aspect, gold]) => {
      const hits = byAspect.get(aspect);
      return hits ? [{ text, hits, found, gold, stars: item.stars }] : [];
    });
  });
}
