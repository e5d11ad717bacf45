import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPack } from '../../../src/content/read-pack.ts';
import { AspectFinder } from '../../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../../src/insights/analyze/opinions.ts';
import { readText } from '../../../src/insights/analyze/read-text.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { PACKS, type PackName } from '../../../src/schema/trade.ts';
import type { Vocabulary } from '../../../src/schema/vocabulary.ts';
import { ROOT } from '../../support/fixtures.ts';
import { hitAt, type Mention } from './sets.ts';

/** A labeled piece of a review. */
export interface GoldItem {
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
  return readLines(`${set}/${half}`);
}

function readLines<T>(name: string): T[] {
  const lines = readFileSync(join(ROOT, `tests/fixtures/gold/${name}.jsonl`), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
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

interface TradeMention {
  target: string;
  aspect: string;
  polarity: Sentiment;
}

/** A labeled review of one trade. */
export interface TradeItem {
  trade: PackName;
  stars: number;
  text: string;
  mentions: TradeMention[];
  /** Mentions of one reader alone. */
  disputed: TradeMention[];
  people: string[];
}

/** Reads one half of the gold set of eight trades. */
export function readTrades(half: Half): TradeItem[] {
  return readLines(`trades/${half}`);
}

/** Returns the labeled mentions of eight trades, each review read with the words of its pack. */
export async function tradeMentions(half: Half): Promise<Mention[]> {
  const packs = await Promise.all(PACKS.map(readPack));
  const lexicons = new Map(
    PACKS.map((name, at) => [name, sentimentLexicon(packs[at]!.lexicon)] as const),
  );
  return readTrades(half).flatMap(({ trade, stars, text, mentions }) => {
    const read = readText(text, lexicons.get(trade)!);
    const hits = mentions.map(({ target }) => {
      const from = text.indexOf(target);
      return hitAt(read, from, from + target.length)!;
    });
    const byAspect = Map.groupBy(mentions.keys(), (at) => {
      const { aspect, polarity } = mentions[at]!;
      return `${aspect} ${polarity}`;
    });
    return [...byAspect.values()].map((same): Mention => {
      const own = same.map((at) => hits[at]!).sort((a, b) => a.at - b.at);
      return { text: read, hits: own, found: hits, gold: mentions[same[0]!]!.polarity, stars };
    });
  });
}
