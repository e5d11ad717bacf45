import MiniSearch from 'minisearch';
import { join } from 'node:path';
import { readContent } from '../../../src/content/read-content.ts';
import { atOnce } from '../../../src/search/pieces.ts';
import { SearchIndex } from '../../../src/search/search-index.ts';
import { foldWord } from '../../../src/search/tokens.ts';
import { linesOf, review } from '../../support/reviews.ts';
import { GRADED_QUERIES, type GradedQueries } from '../graded-queries.ts';
import type { Row } from '../report.ts';

/** Results of a query that count. */
const SHOWN = 5;

interface Document {
  id: number;
  title: string;
  text: string;
}

/** Returns the best documents for a query. */
type Ranking = (query: string) => number[];

interface Quality {
  good: number;
  partial: number;
  success: number;
  falseNothing: number;
  cpu: number;
}

/**
 * Compares the ranking with that of MiniSearch, by graded queries on two imported businesses: datasets in the
 * folders `insurer` and `hotel` of QUALITY_DATA, of reviews of such businesses in English.
 */
export async function searchQuality(): Promise<Row[]> {
  const folder = process.env.QUALITY_DATA;
  if (!folder) {
    console.error('QUALITY_DATA names no folder with the datasets insurer and hotel: left out');
    return [];
  }
  const own: Quality[] = [];
  const other: Quality[] = [];
  for (const [name, queries] of Object.entries(GRADED_QUERIES)) {
    const { reviews } = await readContent(join(folder, name));
    const documents = reviews.map(({ title, text }, id): Document => ({
      id,
      title: title ?? '',
      text: text ?? '',
    }));
    own.push(...qualities(queries, documents, ownRanking(documents)));
    other.push(...qualities(queries, documents, peerRanking(documents)));
  }
  return (['good', 'partial', 'success', 'falseNothing', 'cpu'] as const).map((measure) => {
    const [mine, theirs] = [own, other].map((all) => mean(all.map((each) => each[measure])));
    const isLess = measure === 'falseNothing' || measure === 'cpu';
    const goal = { good: 0.84, success: 0.95 }[measure as string];
    return {
      work: `${WORDING[measure]}, ${own.length} queries: ${mine!.toFixed(3)}`,
      against: 'MiniSearch with prefix and fuzzy',
      ratio: isLess ? theirs! / Math.max(mine!, 1e-9) : mine! / theirs!,
      ...(goal !== undefined && {
        goal: { is: 'min' as const, value: Math.max(1, goal / theirs!) },
      }),
      note: `${mine!.toFixed(3)} : ${theirs!.toFixed(3)}`,
    };
  });
}

const WORDING: Record<keyof Quality, string> = {
  good: 'P@5 of good answers',
  partial: 'P@5 with partial answers',
  success: 'a good answer among five',
  falseNothing: 'nothing although there are answers',
  cpu: 'ms of a ranking',
};

function ownRanking(documents: readonly Document[]): Ranking {
  const lines = linesOf(
    documents.map(({ title, text }) => review({ title: title || null, text: text || null })),
  );
  const index = new SearchIndex(lines, {});
  return (query) => {
    const { positions, isSure } = atOnce(index.rankInPieces({ query }, SHOWN));
    return isSure ? positions : [];
  };
}

function peerRanking(documents: readonly Document[]): Ranking {
  const peer = new MiniSearch<Document>({
    fields: ['title', 'text'],
    processTerm: (term) => foldWord(term),
    searchOptions: { prefix: true, fuzzy: 0.2 },
  });
  peer.addAll(documents);
  return (query) =>
    peer
      .search(query)
      .slice(0, SHOWN)
      .map(({ id }) => id as number);
}

function qualities(
  queries: GradedQueries,
  documents: readonly Document[],
  rank: Ranking,
): Quality[] {
  return Object.entries(queries).map(([query, [good, partial = good]]) => {
    const having = (pattern: RegExp) => {
      const found = documents.filter(({ title, text }) => pattern.test(`${title}\n${text}`));
      return new Set(found.map(({ id }) => id));
    };
    const goodOnes = having(good);
    const all = goodOnes.union(having(partial));
    rank(query);
    const before = process.cpuUsage();
    const found = rank(query);
    const { user, system } = process.cpuUsage(before);
    const precision = (relevant: ReadonlySet<number>) =>
      relevant.size === 0
        ? 1
        : found.filter((id) => relevant.has(id)).length / Math.min(SHOWN, relevant.size);
    return {
      good: precision(goodOnes),
      partial: precision(all),
      success: Number(goodOnes.size === 0 || found.some((id) => goodOnes.has(id))),
      falseNothing: Number(found.length === 0 && all.size > 0),
      cpu: (user + system) / 1000,
    };
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
