import type { QueryPlace } from '../schema/groups.ts';
import {
  countBits,
  firstBits,
  fullBitset,
  intersection,
  keepCommon,
  removeBit,
  union,
  type Bitset,
} from './bitset.ts';
import { withoutAccents } from './fold.ts';
import { Lru } from './lru.ts';
import type { TextIndex } from './text-index.ts';
import { hasWord, parseWords, type Word } from './words.ts';

/** Most words that are counted alone where nothing has all of them. */
const COUNTED_WORDS = 6;
/** Queries whose reviews are kept; each takes a bit per review. */
const KEPT_MATCHES = 256;
const DEFAULT_PLACES: readonly QueryPlace[] = ['text', 'title'];

/** Returns the words of a query that are counted alone where nothing has all of them. */
export function countedWords(words: readonly Word[]): readonly Word[] {
  const wanted = words.filter(({ isExcluded }) => !isExcluded);
  return words.length < 2 ? [] : wanted.slice(0, COUNTED_WORDS);
}

/** Finds the reviews that have every word of a query, in any order and any of some places. */
export class WordMatcher {
  readonly #texts: Readonly<Record<QueryPlace, TextIndex>>;
  readonly #count: number;
  readonly #stopWords: ReadonlySet<string>;
  readonly #matches = new Lru<Bitset>(KEPT_MATCHES);

  /** @param count of all reviews */
  constructor(
    texts: Readonly<Record<QueryPlace, TextIndex>>,
    count: number,
    stopWords: ReadonlySet<string>,
  ) {
    this.#texts = texts;
    this.#count = count;
    this.#stopWords = stopWords;
  }

  parse(query: string): Word[] {
    return parseWords(query, this.#stopWords);
  }

  /** Tells whether enough reviews have a folded word; of two, it is no typo. */
  isUsed(word: string, least = 2): boolean {
    const plain = withoutAccents(word);
    const complete: Word = { written: word, forms: [plain, `${plain}s`], as: 'complete' };
    return countBits(this.find([complete])) >= least;
  }

  match(query: string, places?: readonly QueryPlace[]): Bitset {
    return this.find(this.parse(query), places).slice();
  }

  /** Returns the reviews with all of some words and without the excluded ones; it must not be changed. */
  find(words: readonly Word[], places: readonly QueryPlace[] = DEFAULT_PLACES): Bitset {
    const key = JSON.stringify([places, words]);
    const kept = this.#matches.find(key);
    if (kept) return kept;
    const texts = places.map((place) => this.#texts[place]);
    const found = fullBitset(this.#count);
    const wanted = words.filter(({ isExcluded }) => !isExcluded);
    for (const word of wanted) keepCommon(found, this.#mayHave(word, texts));
    if (wanted.length > 0) {
      for (const review of firstBits(found)) {
        if (!hasAll(review, wanted, texts)) removeBit(found, review);
      }
    }
    const excluded = words.filter(({ isExcluded }) => isExcluded);
    for (const word of excluded.filter(({ as }) => as !== 'string')) {
      for (const review of firstBits(intersection(found, this.#mayHave(word, texts)))) {
        if (hasAll(review, [word], texts)) removeBit(found, review);
      }
    }
    this.#dropStrings(found, excluded.filter(({ as }) => as === 'string'), texts); // oxfmt-ignore
    this.#matches.keep(key, found);
    return found;
  }

  /** Drops the reviews with any of some exact strings. All are one pattern, because short ones need every text. */
  #dropStrings(found: Bitset, strings: readonly Word[], texts: readonly TextIndex[]): void {
    if (strings.length === 0) return;
    const any = new RegExp(strings.map(({ written }) => escaped(written)).join('|'));
    const having = strings.map((string) => this.#mayHave(string, texts));
    for (const review of firstBits(intersection(found, union(having, this.#count)))) {
      if (texts.some((text) => any.test(text.textOf(review) ?? ''))) removeBit(found, review);
    }
  }

  #mayHave(word: Word, texts: readonly TextIndex[]): Bitset {
    const found = texts.map((text) => text.mayHave(word));
    return union(found, this.#count);
  }
}

/** Tells whether the texts of a review have every one of some words. */
function hasAll(review: number, words: readonly Word[], texts: readonly TextIndex[]): boolean {
  const written = texts.flatMap((text) => text.textOf(review) ?? []);
  return words.every((word) => written.some((text) => hasWord(text, word)));
}

/** Returns a pattern for a regular expression that matches exactly a text. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
