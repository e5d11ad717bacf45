import type { QueryPlace } from '../schema/groups.ts';
import { withoutAccents } from './fold.ts';
import { Lru } from './lru.ts';
import { atOnce, filterInPieces, type Pieces } from './pieces.ts';
import { hasWord, parseWords, type Word } from './words.ts';

/** Folded texts of reviews; null where a review has none. */
export type Texts = (string | null)[];

/** Units of a gram, which is a piece of a text. Shorter patterns are looked for in every text. */
const GRAM = 3;
/** Lists of documents, to which grams are assigned by their hash; a list has those of a few grams. */
const LISTS = 1 << 16;
/** Shared, because most lists of a small edition are empty. */
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

/**
 * Tells which documents have to be read for a word: of the grams of all texts, whatever their accents and
 * marks, it knows the documents that may have them.
 */
export class TextIndex {
  #count = 0;
  #growing: number[][] = Array.from({ length: LISTS }, () => []);
  #lists: readonly Uint32Array[] = [];

  add(texts: readonly (string | null)[]): void {
    const document = this.#count++;
    for (const text of texts) {
      const plain = text === null ? '' : ` ${plainOf(text)} `;
      for (let end = GRAM - 1; end < plain.length; end++) {
        const list = this.#growing[listOf(plain, end)]!;
        if (list[list.length - 1] !== document) list.push(document);
      }
    }
  }

  /** Ends the additions, so that words can be looked for. */
  finish(): void {
    this.#lists = this.#growing.map((list) => (list.length > 0 ? new Uint32Array(list) : NONE));
    this.#growing = [];
  }

  /** Returns 1 for each document that may have a word: it may have the two rarest grams of a form. */
  mayHave({ forms, as }: Word): Uint8Array {
    const [before, after] = [as === 'string' ? '' : ' ', as === 'complete' ? ' ' : ''];
    const marks = new Uint8Array(this.#count);
    for (const form of forms) {
      const [rarest, second = rarest] = this.#listsOf(before + plainOf(form) + after);
      if (!rarest) return marks.fill(1);
      let at = 0;
      for (const document of rarest) {
        while (second![at]! < document) at++;
        if (second![at] === document) marks[document] = 1;
      }
    }
    return marks;
  }

  /** Returns the documents that may have all of some words. */
  mayHaveAll([first, ...others]: readonly Word[]): number[] {
    const all = first ? this.mayHave(first) : new Uint8Array(this.#count).fill(1);
    for (const word of others) {
      const own = this.mayHave(word);
      for (let document = 0; document < all.length; document++) all[document]! &= own[document]!;
    }
    const documents: number[] = [];
    for (let document = 0; document < all.length; document++) {
      if (all[document] === 1) documents.push(document);
    }
    return documents;
  }

  /** Returns the lists of the grams of a pattern, the shortest first. */
  #listsOf(pattern: string): Uint32Array[] {
    const lists: Uint32Array[] = [];
    for (let end = GRAM - 1; end < pattern.length; end++) {
      lists.push(this.#lists[listOf(pattern, end)]!);
    }
    return lists.sort((a, b) => a.length - b.length);
  }
}

/** Reviews that are kept of the last queries, all of them together. */
const KEPT_MATCHES = 200_000;
const DEFAULT_PLACES: readonly QueryPlace[] = ['text', 'title'];

/** The texts of all reviews, and the index that tells which of them to read. */
interface SearchedTexts {
  texts: Readonly<Record<QueryPlace, Texts>>;
  grams: TextIndex;
}

/** Finds the reviews that have every word of a query, in any order and any of some places. */
export class WordMatcher {
  readonly #columns: SearchedTexts;
  readonly #stopWords: ReadonlySet<string>;
  readonly #matches = new Lru<readonly number[]>(KEPT_MATCHES, ({ length }) => length);

  constructor(columns: SearchedTexts, stopWords: ReadonlySet<string>) {
    this.#columns = columns;
    this.#stopWords = stopWords;
  }

  /** Returns what a query with `match=words` looks for. */
  parse(query: string): Word[] {
    return parseWords(query, this.#stopWords);
  }

  /** Tells whether enough reviews have a folded word; of two, it is no typo. */
  isUsed(word: string, least = 2): boolean {
    const plain = withoutAccents(word);
    const complete: Word = { written: word, forms: [plain, `${plain}s`], as: 'complete' };
    return this.find([complete]).length >= least;
  }

  /** Returns the positions of the reviews with all of some words and without the excluded ones. */
  find(words: readonly Word[], places: readonly QueryPlace[] = DEFAULT_PLACES): readonly number[] {
    return atOnce(this.findInPieces(words, places));
  }

  *findInPieces(
    words: readonly Word[],
    places: readonly QueryPlace[] = DEFAULT_PLACES,
  ): Pieces<readonly number[]> {
    const key = JSON.stringify([places, words]);
    const kept = this.#matches.find(key);
    if (kept) return kept;
    const found = yield* this.#look(words, places);
    this.#matches.keep(key, found);
    return found;
  }

  *#look(words: readonly Word[], places: readonly QueryPlace[]): Pieces<readonly number[]> {
    const { grams } = this.#columns;
    const texts = places.map((place) => this.#columns.texts[place]);
    const wanted = words.filter(({ isExcluded }) => !isExcluded);
    const excluded = words.filter(({ isExcluded }) => isExcluded);
    let found: readonly number[] = grams.mayHaveAll(wanted);
    for (const word of wanted) {
      found = yield* filterInPieces(found, (position) => hasIn(texts, position, word));
    }
    const isOut = new Set<number>();
    for (const word of excluded.filter(({ as }) => as !== 'string')) {
      for (const position of grams.mayHaveAll([word])) {
        if (!isOut.has(position) && hasIn(texts, position, word)) isOut.add(position);
      }
      yield;
    }
    found = found.filter((position) => !isOut.has(position));
    const strings = excluded.filter(({ as }) => as === 'string');
    if (strings.length === 0) return found;
    // One pattern for all, because short strings need every text.
    const any = new RegExp(strings.map(({ written }) => escaped(written)).join('|'));
    return yield* filterInPieces(
      found,
      (position) => !texts.some((text) => any.test(text[position] ?? '')),
    );
  }
}

/** Tells whether a review has a word in any of some texts, given by the positions of reviews. */
export function hasIn(texts: readonly Texts[], position: number, word: Word): boolean {
  for (const text of texts) {
    const written = text[position]!;
    if (written !== null && hasWord(written, word)) return true;
  }
  return false;
}

/** Returns a pattern for a regular expression that matches exactly a text. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
