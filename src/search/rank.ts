import {
  addBit,
  countBits,
  createBitset,
  firstBits,
  hasBit,
  union,
  type Bitset,
} from './bitset.ts';
import { fold } from './fold.ts';
import type { Steps } from './steps.ts';
import type { Candidates, TextIndex } from './text-index.ts';

/** Documents that are scored. More would take a question of common words too long. */
const MOST_SCORED = 1024;
/** Documents that are scored in a step. */
const STEP = 128;

/** A word of a question. */
interface Word {
  /** By index of texts. */
  candidates: readonly Candidates[];
  /** The candidates of all of them. */
  set: Bitset;
  count: number;
  weight: number;
}

/**
 * Returns the documents that have the most of some words in any of several texts, lowest numbers
 * first among equals. A word weighs by how few documents have it.
 *
 * Scores at most {@link MOST_SCORED} documents: those with the rarest word, lowest numbers first, then
 * those with the next one. A word that more documents may have weighs as if all of them had it.
 *
 * @param texts indexes of the same documents
 */
export function* rank(
  texts: readonly TextIndex[],
  words: readonly string[],
  documents: number,
  limit: number,
): Steps<number[]> {
  const wanted: Word[] = [];
  for (const word of words) {
    wanted.push(yield* lookUp(word, texts, documents));
    yield;
  }
  const seen = createBitset(documents);
  const scored: { document: number; score: number }[] = [];
  for (const { set } of wanted.toSorted((a, b) => a.count - b.count)) {
    for (const document of firstBits(set, MOST_SCORED)) {
      if (scored.length === MOST_SCORED) break;
      if (hasBit(seen, document)) continue;
      addBit(seen, document);
      scored.push({ document, score: scoreOf(document, wanted, texts) });
      if (scored.length % STEP === 0) yield;
    }
  }
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit)
    .map(({ document }) => document);
}

function* lookUp(word: string, texts: readonly TextIndex[], documents: number): Steps<Word> {
  const candidates: Candidates[] = [];
  for (const text of texts) {
    const found = text.candidates(fold(word));
    candidates.push(countBits(found.set) > MOST_SCORED ? found : yield* text.verify(found));
  }
  const set = union(
    candidates.map(({ set }) => set),
    documents,
  );
  const count = countBits(set);
  return { candidates, set, count, weight: Math.log((documents + 1) / (count || 1)) };
}

function scoreOf(document: number, words: readonly Word[], texts: readonly TextIndex[]): number {
  let score = 0;
  for (const { candidates, weight } of words) {
    if (texts.some((text, at) => text.contains(candidates[at]!, document))) score += weight;
  }
  return score;
}
