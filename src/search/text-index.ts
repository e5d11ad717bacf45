import {
  createBitset,
  firstBits,
  fullBitset,
  keepCommon,
  removeBit,
  union,
  type Bitset,
} from './bitset.ts';
import { fold, withoutAccents } from './fold.ts';
import type { Word } from './words.ts';

/** Units of a gram, which is a piece of a text. Shorter patterns are looked for in every text. */
const GRAM = 3;
/** Lists of documents, to which grams are assigned by their hash; a list has those of a few grams. */
const LISTS = 1 << 16;
const NONE = new Uint32Array();

/** Returns the list of the gram that ends at a place of a text. */
function listOf(text: string, end: number): number {
  const first = Math.imul(text.charCodeAt(end - 2), 0x9e3779b1);
  const second = Math.imul(text.charCodeAt(end - 1), 0x85ebca6b);
  return (first ^ second ^ Math.imul(text.charCodeAt(end), 0xc2b2ae35)) >>> 16;
}

/** Returns a folded text without accents, and with a space for everything between two words. */
function plainOf(folded: string): string {
  return withoutAccents(folded).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
}

/** Collects the texts of an index. */
export class TextIndexBuilder {
  readonly #texts: (string | null)[] = [];
  readonly #lists: (number[] | undefined)[] = Array.from({ length: LISTS });

  /** Adds the next document; null if it has no text: it never matches. */
  add(text: string | null): void {
    const document = this.#texts.length;
    const folded = text === null ? null : fold(text);
    this.#texts.push(folded);
    const plain = folded === null ? '' : ` ${plainOf(folded)} `;
    for (let end = GRAM - 1; end < plain.length; end++) {
      const list = (this.#lists[listOf(plain, end)] ??= []);
      if (list[list.length - 1] !== document) list.push(document);
    }
  }

  finish(): TextIndex {
    return new TextIndex(
      this.#texts,
      this.#lists.map((list) => (list ? new Uint32Array(list) : NONE)),
    );
  }
}

/**
 * Exact substring search. Of the grams of every text, whatever their accents and marks, it knows which
 * documents may have them; those that may have the two rarest of a pattern are read.
 */
export class TextIndex {
  /** Folded; null where a document has no text. */
  readonly #texts: readonly (string | null)[];
  readonly #lists: readonly Uint32Array[];

  constructor(texts: readonly (string | null)[], lists: readonly Uint32Array[]) {
    this.#texts = texts;
    this.#lists = lists;
  }

  /** Returns the documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const folded = fold(pattern);
    const set = this.#candidates(plainOf(folded));
    for (const document of firstBits(set)) {
      if (this.#texts[document]?.includes(folded) !== true) removeBit(set, document);
    }
    return set;
  }

  /** Returns the documents that may have a word. */
  mayHave({ forms, as }: Word): Bitset {
    const [before, after] = [as === 'string' ? '' : ' ', as === 'complete' ? ' ' : ''];
    const found = forms.map((form) => this.#candidates(before + plainOf(form) + after));
    return union(found, this.#texts.length);
  }

  /** Returns the documents that may contain a plain pattern. */
  #candidates(pattern: string): Bitset {
    const lists: Uint32Array[] = [];
    for (let end = GRAM - 1; end < pattern.length; end++) {
      lists.push(this.#lists[listOf(pattern, end)]!);
    }
    lists.sort((a, b) => a.length - b.length);
    const [rarest, second] = lists;
    if (!rarest) return fullBitset(this.#texts.length);
    const set = this.#setOf(rarest);
    if (second) keepCommon(set, this.#setOf(second));
    return set;
  }

  /** Returns a document's text, folded; null if it has none. */
  textOf(document: number): string | null {
    return this.#texts[document]!;
  }

  #setOf(list: Uint32Array): Bitset {
    const set = createBitset(this.#texts.length);
    for (const document of list) set[document >>> 5]! |= 1 << (document & 31);
    return set;
  }
}
