import { Lru } from '../base/lru.ts';
import type { QueryPlace } from '../schema/groups.ts';
import { filterInPieces, type Pieces } from './pieces.ts';
import { rarestIn } from './rarest.ts';
import { markedOf, markedTwice, placesOf, type Places, type WordIndex } from './word-index.ts';

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
/** Reviews whose marks are kept, by piece, with the letters of the pieces: most searches share a frequent word. */
const KEPT_MARKS = 4_000_000;

/** Marks of the reviews that, by their words, may have a string or have it. */
const MAY = 1;
const HAS = 2;

/** Marks of a string, or of a piece of it, by the words of the reviews. */
interface Told {
  marks: Uint8Array;
  /** True if no review merely may have it. */
  isSure: boolean;
  /** The reviews with a mark, once somebody asked for them. */
  reviews?: readonly number[];
}

/** Returns those of some reviews that other tests leave. */
export type Narrow = (reviews: readonly number[]) => readonly number[];

/** Finds strings by the words around them, and reads only the texts that these do not decide. */
export class StringFinder {
  readonly #texts: Readonly<Record<QueryPlace, Texts>>;
  readonly #words: WordIndex;
  readonly #all: readonly number[];
  readonly #told = new Lru<Told>(KEPT_MARKS, ({ marks }, piece) => marks.length + piece.length);

  /** @param all the positions of all reviews */
  constructor(
    texts: Readonly<Record<QueryPlace, Texts>>,
    words: WordIndex,
    all: readonly number[],
  ) {
    this.#texts = texts;
    this.#words = words;
    this.#all = all;
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
  ): Pieces<readonly number[]> {
    const told = yield* this.#byWords(string, placesOf(asked));
    if (told) told.reviews ??= markedOf(told.marks);
    const reviews = narrow(told?.reviews ?? this.#all);
    yield;
    if (told?.isSure === true) return reviews;
    const texts = asked.map((place) => this.#texts[place]);
    const rest = string.slice(rarestIn(string));
    const hasString = (review: number): boolean => {
      if (told?.marks[review] === HAS) return true;
      for (const place of texts) {
        const text = place[review];
        if (text?.includes(rest) === true && (rest === string || text.includes(string)))
          return true;
      }
      return false;
    };
    return yield* filterInPieces(reviews, hasString, STEP);
  }

  /** Returns what the words of the reviews tell of a string; undefined if they tell nothing. */
  *#byWords(string: string, places: Places): Pieces<Told | undefined> {
    let all: Told | undefined;
    for (const [, before = '', piece = '', behind = ''] of string.matchAll(PIECES)) {
      if (LOST.test(piece)) continue;
      const part = BETWEEN_WORDS.test(behind) ? `${piece}\n` : piece;
      const own = this.#ofPart(part, BETWEEN_WORDS.test(before), piece === string, places);
      yield;
      if (!own || !all) all ??= own;
      else all = { marks: markedTwice(all.marks, own.marks), isSure: false };
    }
    return all;
  }

  /**
   * Returns what the words that have a piece tell; undefined if they are in too many texts.
   *
   * @param part `\n` at its end stands for that of a word
   * @param begins true if it begins a word
   * @param isAll true if it is all of the string
   */
  #ofPart(part: string, begins: boolean, isAll: boolean, places: Places): Told | undefined {
    const key = [part, begins, isAll, places].join(' ');
    const kept = this.#told.find(key);
    if (kept) return kept;
    const index = this.#words;
    const words = begins
      ? index
          .startingWith(part.trimEnd(), places)
          .filter((word) => `${index.termOf(word)}\n`.startsWith(part))
      : index.containing(part, places);
    const having = words.reduce((sum, word) => sum + index.frequencyOf(word), 0);
    if (!isAll && having > MOST * index.count) return undefined;
    const marks = new Uint8Array(index.count);
    const hasIt = (word: number) => isAll && index.isVerbatim(word);
    for (const word of words) index.raise(marks, word, places, hasIt(word) ? HAS : MAY);
    const told = { marks, isSure: isAll && words.every(hasIt) };
    this.#told.keep(key, told);
    return told;
  }
}
