import type { ReviewColumns } from './review-columns.ts';
import { hasIn, type TextIndex, type Texts } from './text-index.ts';
import type { Word } from './words.ts';

/** Reviews that are scored. More would take a question of common words too long. */
const MOST_SCORED = 1024;

type Wanted = ReturnType<typeof lookUp>;

/**
 * Returns the reviews that have the most of some words in text or title, newest first among equals; none
 * that has less than half of what the best has. A word weighs by how few reviews have it, and most if none
 * does.
 *
 * Scores at most {@link MOST_SCORED} reviews: those with the rarest word, newest first, then those with
 * the next one. A word that more reviews may have weighs as if all of them had it.
 *
 * @returns positions in reviews.json; `isSure` is false if even the best has less than half of the question,
 *   by weight
 */
export function rank(
  { texts: { text, title }, grams }: ReviewColumns,
  words: readonly Word[],
  limit: number,
): { positions: number[]; isSure: boolean } {
  const wanted = words.map((word) => lookUp(word, [text, title], grams));
  const scores = new Map<number, number>();
  for (const { positions } of wanted.toSorted((a, b) => a.positions.length - b.positions.length)) {
    for (const position of positions) {
      if (scores.size === MOST_SCORED) break;
      if (!scores.has(position)) scores.set(position, scoreOf(position, wanted));
    }
  }
  const ranked = [...scores]
    .filter(([, score]) => score > 0)
    .sort(([a, most], [b, least]) => least - most || a - b);
  const best = ranked[0]?.[1] ?? 0;
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return {
    positions: ranked
      .filter(([, score]) => score >= best / 2)
      .slice(0, limit)
      .map(([position]) => position),
    isSure: best > 0 && best >= all / 2,
  };
}

/** Returns the reviews that have a word, or that may have it if they are many, newest first, and its weight. */
function lookUp(word: Word, texts: readonly Texts[], grams: TextIndex) {
  const hasIt = (position: number) => hasIn(texts, position, word);
  const candidates = grams.mayHaveAll([word]);
  const isMany = candidates.length > MOST_SCORED;
  const positions = isMany ? candidates : candidates.filter(hasIt);
  const having = isMany ? undefined : new Set(positions);
  const isIn = having ? (position: number) => having.has(position) : hasIt;
  const weight = Math.log((texts[0]!.length + 1) / (positions.length || 1));
  return { positions, isIn, weight };
}

function scoreOf(position: number, words: readonly Wanted[]): number {
  let score = 0;
  for (const { isIn, weight } of words) if (isIn(position)) score += weight;
  return score;
}
