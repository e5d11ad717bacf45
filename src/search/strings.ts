import type { QueryPlace } from '../schema/groups.ts';
import { filterInPieces, type Pieces } from './pieces.ts';
import {
  rarePlaceIn,
  keepMarked,
  markedOf,
  placesOf,
  type Places,
  type WordIndex,
} from './word-index.ts';

/** Folded texts of reviews; null where a review has none. */
export type Texts = (string | null)[];

/** The texts of all reviews, and the words in them. */
export interface SearchedTexts {
  texts: Readonly<Record<QueryPlace, Texts>>;
  words: WordIndex;
  /** The positions of all reviews. */
  positions: readonly number[];
}

/** A piece of a string that words have too, with what may be before and behind it. */
const PIECES = /([^a-z0-9]*)([a-z0-9]+)(?=([^a-z0-9]?))/g;
/** Ends with a character that no word has. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Cf}'‘’ʼ`´+#]$/v;
/** Pieces that the words of the index may lack: three equal letters, and the ends of `we'll` and `don't`. */
const LOST = /([a-z])\1\1|^(?:ll?|ve?|re?|[demst])$/;
/** Reading all texts is faster than looking at the words of more texts than so many times as many. */
const TEXTS_PER_REVIEW = 4;
/** Texts that are read between two pauses. */
const STEP = 512;

/** Texts that are marked between two pauses. */
const MARKED = 100_000;

/** Marks of the reviews that, by their words, may have a string or have it. */
const MAY = 1;
const HAS = 2;

/** Returns those of some reviews that other tests leave. */
export type Narrow = (reviews: readonly number[]) => readonly number[];

/**
 * Returns the reviews that have a folded string at some places. The words around it find most of them, and only
 * the texts that these do not decide are read.
 *
 * @param narrow leaves reviews out, before their texts are read
 */
export function* findString(
  { texts: all, words, positions }: SearchedTexts,
  string: string,
  asked: readonly QueryPlace[],
  narrow: Narrow = (reviews) => reviews,
): Pieces<readonly number[]> {
  const { marks, isSure } = yield* markByWords(string, words, placesOf(asked));
  const reviews = narrow(marks ? markedOf(marks) : positions);
  yield;
  if (isSure) return reviews;
  const texts = asked.map((place) => all[place]);
  const rest = string.slice(rarePlaceIn(string));
  const hasString = (review: number): boolean => {
    if (marks?.[review] === HAS) return true;
    for (const place of texts) {
      const text = place[review];
      if (text?.includes(rest) === true && (rest === string || text.includes(string))) return true;
    }
    return false;
  };
  return yield* filterInPieces(reviews, hasString, STEP);
}

/** Marks reviews by their words; `isSure` if none merely may have a string. No marks: any review may have it. */
function* markByWords(
  string: string,
  index: WordIndex,
  places: Places,
): Pieces<{ marks: Uint8Array | undefined; isSure: boolean }> {
  let marks: Uint8Array | undefined;
  let isSure = false;
  for (const [, before = '', piece = '', behind = ''] of string.matchAll(PIECES)) {
    if (LOST.test(piece)) continue;
    const end = BETWEEN_WORDS.test(behind) ? '\n' : '';
    const words = BETWEEN_WORDS.test(before)
      ? index
          .startingWith(piece, places)
          .filter((word) => `${index.termOf(word)}\n`.startsWith(piece + end))
      : index.containing(piece + end, places);
    yield;
    const isAll = piece === string;
    const having = words.reduce((sum, word) => sum + index.frequencyOf(word), 0);
    if (!isAll && having > TEXTS_PER_REVIEW * index.count) continue;
    const own = new Uint8Array(index.count);
    const hasIt = (word: number) => isAll && index.isVerbatim(word);
    let marked = 0;
    for (const word of words) {
      index.raise(own, word, places, hasIt(word) ? HAS : MAY);
      marked += index.frequencyOf(word);
      if (marked < MARKED) continue;
      yield;
      marked = 0;
    }
    isSure = words.every(hasIt);
    if (marks) keepMarked(own, marks);
    marks = own;
    yield;
  }
  return { marks, isSure };
}
