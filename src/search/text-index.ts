import { addBit, createBitset, hasBit, keepCommon, type Bitset } from './bitset.ts';
import { fold, withoutAccents } from './fold.ts';
import { LONGEST_GRAM, NONE, type GramNumbers } from './gram-numbers.ts';
import { PostingsBuilder, type Postings } from './gram-postings.ts';
import { Lru } from './lru.ts';
import { atOnce, type Steps } from './steps.ts';

/** Collects the texts of an index. */
export class TextIndexBuilder {
  readonly #texts: (string | null)[] = [];
  readonly #postings: PostingsBuilder;
  readonly #accented: Bitset;

  /** @param documents that will be added */
  constructor(documents: number) {
    this.#postings = new PostingsBuilder(documents);
    this.#accented = createBitset(documents);
  }

  /** Adds the next document; null if it has no text: it never matches. */
  add(text: string | null): void {
    const folded = text === null ? null : fold(text);
    const bare = folded === null ? null : withoutAccents(folded);
    if (bare !== folded) addBit(this.#accented, this.#texts.length);
    this.#texts.push(folded);
    if (bare === null) this.#postings.skip();
    else this.#postings.add(bare);
  }

  finish(): TextIndex {
    const { grams } = this.#postings;
    return new TextIndex(this.#texts, this.#accented, grams, this.#postings.finish());
  }
}

/** The documents that may contain a pattern. */
export interface Candidates {
  /** Folded. */
  pattern: string;
  set: Bitset;
  /** Those of them that may lack it; undefined if it is all of them. */
  doubtful: Bitset | undefined;
}

/** Grams of a pattern that are looked up, the rarest ones: more exclude hardly any document. */
const MOST_GRAMS = 12;
/** Characters that are read in a step; it takes a few milliseconds. */
const STEP = 1 << 20;
/** Patterns whose documents are kept; each takes a bit per document. */
const KEPT_MATCHES = 256;

/**
 * Exact substring search. Of every gram, a piece of one to three units, it knows the documents that
 * have it, whatever their accents. Those that have the grams of a pattern are read; of a pattern that is a
 * gram, only those with accents.
 */
export class TextIndex {
  /** Folded; null where a document has no text. */
  readonly #texts: readonly (string | null)[];
  readonly #accented: Bitset;
  readonly #grams: GramNumbers;
  readonly #postings: readonly Postings[];
  readonly #matches = new Lru<Bitset>(KEPT_MATCHES);

  /**
   * @param accented documents whose text has accents
   * @param postings by the numbers of the grams
   */
  constructor(
    texts: readonly (string | null)[],
    accented: Bitset,
    grams: GramNumbers,
    postings: readonly Postings[],
  ) {
    this.#texts = texts;
    this.#accented = accented;
    this.#grams = grams;
    this.#postings = postings;
  }

  /** Returns the documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    return atOnce(this.#match(fold(pattern))).slice();
  }

  /** Looks a pattern up and keeps its documents for a while: {@link match} then only copies them. */
  *prepare(pattern: string): Steps<void> {
    yield* this.#match(fold(pattern));
  }

  *#match(folded: string): Steps<Bitset> {
    const kept = this.#matches.find(folded);
    if (kept) return kept;
    const set = yield* this.#verify(this.candidates(folded));
    this.#matches.keep(folded, set);
    return set;
  }

  /** Returns the documents that have the rarest grams of a folded pattern. */
  candidates(pattern: string): Candidates {
    const set = createBitset(this.#texts.length);
    const bare = withoutAccents(pattern);
    const [rarest, ...others] = this.#postingsOf(bare);
    if (rarest?.bits) {
      set.set(rarest.bits);
      for (const { bits } of others) keepCommon(set, bits!);
    } else if (rarest) {
      for (const document of rarest.list!) {
        if (others.every(({ bits }) => !bits || hasBit(bits, document))) addBit(set, document);
      }
    }
    const isGram = bare === pattern && pattern.length <= LONGEST_GRAM;
    return { pattern, set, doubtful: isGram ? this.#accented : undefined };
  }

  /** Returns a document's text, folded; null if it has none. */
  textOf(document: number): string | null {
    return this.#texts[document]!;
  }

  /** Drops the candidates that do not contain their pattern, and returns the others. */
  *#verify({ pattern, set, doubtful = set }: Candidates): Steps<Bitset> {
    let read = 0;
    for (let word = 0; word < set.length; word++) {
      read += this.#verifyWord(pattern, set, word, doubtful[word]!);
      if (read < STEP) continue;
      yield;
      read = 0;
    }
    return set;
  }

  /** Returns the number of characters it read. */
  #verifyWord(pattern: string, set: Bitset, word: number, doubtful: number): number {
    let read = 0;
    for (let bits = set[word]! & doubtful; bits !== 0; bits &= bits - 1) {
      const bit = bits & -bits;
      const document = (word << 5) + 31 - Math.clz32(bit);
      const text = this.#texts[document]!;
      if (!text.includes(pattern)) set[word]! &= ~bit;
      read += text.length;
    }
    return read;
  }

  /** Returns the postings of the rarest grams of a pattern; none if it has an unknown one. */
  #postingsOf(pattern: string): Postings[] {
    const length = Math.min(LONGEST_GRAM, pattern.length);
    const numbers = new Set<number>();
    for (let at = 0; at + length <= pattern.length; at++) {
      const number = this.#grams.find(pattern, at, length);
      if (number === NONE) return [];
      numbers.add(number);
    }
    const found = Array.from(numbers, (number) => this.#postings[number]!);
    return found.sort((a, b) => a.count - b.count).slice(0, MOST_GRAMS);
  }
}
