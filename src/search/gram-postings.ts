import { countBits, createBitset, type Bitset } from './bitset.ts';
import { GramNumbers, LONGEST_GRAM, NONE } from './gram-numbers.ts';

/** The documents that have a gram. */
export interface Postings {
  count: number;
  /** Ascending; undefined where a bitset is smaller. */
  list: Uint32Array | undefined;
  bits: Bitset | undefined;
}

/** Documents in a word of a bitset. */
const WORD = 32;
/** A list of more than one document in so many takes more memory than a bitset. */
const LISTED = 32;
const FIRST_GRAMS = 1 << 12;

/**
 * Collects the documents of every gram. It gathers a word of each gram's bitset, that is 32 documents,
 * before it writes any: millions of writes to as many places of memory would take most of the time.
 */
export class PostingsBuilder {
  readonly grams = new GramNumbers();
  readonly #size: number;
  #documents = 0;
  /** By the number of the gram, like all that follow: the word that is gathered. */
  #words = new Uint32Array(FIRST_GRAMS);
  /** The gram without its last unit. */
  #prefixes = new Int32Array(FIRST_GRAMS);
  /** Grams whose word is not empty. */
  #touched: number[] = [];
  readonly #found: (number[] | Bitset)[] = [];

  /** @param size the number of documents that will be added */
  constructor(size: number) {
    this.#size = size;
  }

  /** Adds the next document. */
  add(text: string): void {
    const bit = 1 << (this.#documents % WORD);
    for (let at = 0; at < text.length; at++) {
      let number = this.#numberOf(text, at, Math.min(LONGEST_GRAM, text.length - at));
      // Once a gram is known in a document, so is what it begins with.
      while (number !== NONE && (this.#words[number]! & bit) === 0) {
        if (this.#words[number] === 0) this.#touched.push(number);
        this.#words[number]! |= bit;
        number = this.#prefixes[number]!;
      }
    }
    this.skip();
  }

  /** Leaves the next document out. */
  skip(): void {
    this.#documents++;
    if (this.#documents % WORD === 0) this.#write();
  }

  /** Returns the postings of all grams by their numbers. */
  finish(): Postings[] {
    if (this.#documents % WORD !== 0) this.#write();
    let listed = 0;
    for (const found of this.#found) if (Array.isArray(found)) listed += found.length;
    const lists = new Uint32Array(listed); // one for all: they are many, and most are short
    let end = 0;
    return this.#found.map((found) => {
      if (!Array.isArray(found)) return { count: countBits(found), list: undefined, bits: found };
      lists.set(found, end);
      end += found.length;
      const list = lists.subarray(end - found.length, end);
      return { count: found.length, list, bits: undefined };
    });
  }

  #numberOf(text: string, at: number, length: number): number {
    const number = this.grams.add(text, at, length);
    if (number === this.#found.length) {
      this.#found.push([]);
      if (number === this.#words.length) this.#grow();
      this.#prefixes[number] = length > 1 ? this.#numberOf(text, at, length - 1) : NONE;
    }
    return number;
  }

  #grow(): void {
    const [words, prefixes] = [this.#words, this.#prefixes];
    this.#words = new Uint32Array(words.length * 2);
    this.#words.set(words);
    this.#prefixes = new Int32Array(words.length * 2);
    this.#prefixes.set(prefixes);
  }

  /** Writes the gathered words. */
  #write(): void {
    const place = Math.ceil(this.#documents / WORD) - 1;
    for (const number of this.#touched) {
      const word = this.#words[number]!;
      const found = this.#found[number]!;
      if (Array.isArray(found)) this.#list(number, found, place, word);
      else found[place] = word;
      this.#words[number] = 0;
    }
    this.#touched = [];
  }

  #list(number: number, list: number[], place: number, word: number): void {
    for (let bits = word; bits !== 0; bits &= bits - 1) {
      list.push(place * WORD + 31 - Math.clz32(bits & -bits));
    }
    if (list.length * LISTED <= this.#size) return;
    const set = createBitset(this.#size);
    for (const document of list) set[document >>> 5]! |= 1 << (document & 31);
    this.#found[number] = set;
  }
}
