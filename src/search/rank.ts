import {
  addBit,
  countBits,
  createBitset,
  firstBits,
  hasBit,
  removeBit,
  union,
  type Bitset,
} from './bitset.ts';
import type { TextIndex } from './text-index.ts';
import { hasWord, type Word } from './words.ts';

/** Documents that are scored. More would take a question of common words too long. */
const MOST_SCORED = 1024;

/** A word of a question. */
interface Wanted {
  word: Word;
  /** The documents that may have it; only those that do if `isExact`. */
  set: Bitset;
  isExact: boolean;
  count: number;
  weight: number;
}

/** Documents by how well they fit a question. */
export interface Ranking {
  documents: number[];
  /** False if even the best has less than half of the question, by weight. */
  isSure: boolean;
}

/**
 * Returns the documents that have the most of some words in any of several texts, lowest numbers
 * first among equals; none that has less than half of what the best has. A word weighs by how few
 * documents have it, and most if none does.
 *
 * Scores at most {@link MOST_SCORED} documents: those with the rarest word, lowest numbers first, then
 * those with the next one. A word that more documents may have weighs as if all of them had it.
 *
 * @param texts indexes of the same documents
 */
export function rank(
  texts: readonly TextIndex[],
  words: readonly Word[],
  documents: number,
  limit: number,
): Ranking {
  const wanted = words.map((word) => lookUp(word, texts, documents));
  const seen = createBitset(documents);
  const scored: { document: number; score: number }[] = [];
  for (const { set } of wanted.toSorted((a, b) => a.count - b.count)) {
    for (const document of firstBits(set, MOST_SCORED)) {
      if (scored.length === MOST_SCORED) break;
      if (hasBit(seen, document)) continue;
      addBit(seen, document);
      scored.push({ document, score: scoreOf(document, wanted, texts) });
    }
  }
  const ranked = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.document - b.document);
  const best = ranked[0]?.score ?? 0;
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return {
    documents: ranked
      .filter(({ score }) => score >= best / 2)
      .slice(0, limit)
      .map(({ document }) => document),
    isSure: best > 0 && best >= all / 2,
  };
}

function lookUp(word: Word, texts: readonly TextIndex[], documents: number): Wanted {
  const found = texts.map((text) => text.mayHave(word));
  const set = union(found, documents);
  let count = countBits(set);
  const isExact = count <= MOST_SCORED;
  if (isExact) {
    for (const document of firstBits(set, count)) {
      if (!hasWordIn(document, word, texts)) removeBit(set, document);
    }
    count = countBits(set);
  }
  return { word, set, isExact, count, weight: Math.log((documents + 1) / (count || 1)) };
}

function scoreOf(document: number, words: readonly Wanted[], texts: readonly TextIndex[]): number {
  let score = 0;
  for (const { word, set, isExact, weight } of words) {
    if (hasBit(set, document) && (isExact || hasWordIn(document, word, texts))) score += weight;
  }
  return score;
}

function hasWordIn(document: number, word: Word, texts: readonly TextIndex[]): boolean {
  return texts.some((text) => {
    const written = text.textOf(document);
    return written !== null && hasWord(written, word);
  });
}
