import type { QueryPlace } from '../schema/groups.ts';
import { filterInPieces, type Pieces } from './pieces.ts';
import { keepMarked, markedOf, placesOf, type Places, type WordIndex } from './word-index.ts';

/** Folded texts of reviews; null where a review has none. */
export type Texts = (string | null)[];

/** A piece of a string that words have too, with what may be before and behind it. */
const PIECES = /([^a-z0-9]*)([a-z0-9]+)(?=([^a-z0-9]?))/g;
/** Ends with a character that no word has. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Cf}'‘’ʼ`´+#]$/v;
/** Pieces that the words of the index may lack: three letters alike, and the ends of `we'll` and `don't`. */
const LOST = /([a-z])\1\1|^(?:ll?|ve?|re?|[demst])$/;
/** Reading all texts is faster than looking at the words of more texts than so many times as many. */
const MOST = 4;
/** Texts that are read between two pauses. */
const STEP = 512;

/** Marks of the reviews that, by their words, may have a string or have it. */
const MAY = 1;
const HAS = 2;

/** Returns those of some reviews that other tests leave. */
export type Narrow = (reviews: readonly number[]) => readonly number[];

/** Finds strings by the words around them, and reads only the texts that these do not decide. */
export class StringFinder {
  readonly #texts: Readonly<Record<QueryPlace, Texts>>;
  readonly #words: WordIndex;

  constructor(texts: Readonly<Record<QueryPlace, Texts>>, words: WordIndex) {
    this.#texts = texts;
    this.#words = words;
  }

  /**
   * Returns the reviews that have a folded string at some places.
   *
   * @param narrow leaves reviews out, before their texts are read
   */
  *find(
    string: string,
    asked: readonly QueryPlace[],
    narrow: Narrow = (reviews) => reviews,
  ): Pieces<number[]> {
    const texts = asked.map((place) => this.#texts[place]);
    const having = yield* this.#byWords(string, placesOf(asked));
    const reviews = markedOf(having);
    yield;
    const hasString = (review: number): boolean =>
      having[review] === HAS || texts.some((text) => text[review]?.includes(string) === true);
    return yield* filterInPieces(narrow(reviews), hasString, STEP);
  }

  /** Tells by review what its words say about a string. */
  *#byWords(string: string, places: Places): Pieces<Uint8Array> {
    const index = this.#words;
    let all: Uint8Array | undefined;
    for (const [, before = '', piece = '', behind = ''] of string.matchAll(PIECES)) {
      if (LOST.test(piece)) continue;
      const end = BETWEEN_WORDS.test(behind) ? '\n' : '';
      const words = BETWEEN_WORDS.test(before)
        ? [...index.startingWith(piece, places)].filter((word) =>
            `${index.termOf(word)}\n`.startsWith(piece + end),
          )
        : [...index.containing(piece + end, places)];
      yield;
      if (words.reduce((sum, word) => sum + index.frequencyOf(word), 0) > MOST * index.count)
        continue;
      const own = new Uint8Array(index.count);
      for (const word of words) {
        const says = piece === string && index.isVerbatim(word) ? HAS : MAY;
        index.raise(own, word, places, says);
      }
      if (all) keepMarked(own, all);
      all = own;
      yield;
    }
    return all ?? new Uint8Array(index.count).fill(MAY);
  }
}
