import type { QueryPlace } from '../schema/groups.ts';
import { withoutAccents } from './fold.ts';
import { Lru } from './lru.ts';
import type { ReviewColumns, Texts } from './review-columns.ts';
import { hasWord, parseWords, type Word } from './words.ts';

/** Reviews that are kept of the last queries, all of them together. */
const KEPT_MATCHES = 200_000;
const DEFAULT_PLACES: readonly QueryPlace[] = ['text', 'title'];

/** Finds the reviews that have every word of a query, in any order and any of some places. */
export class WordMatcher {
  readonly #columns: Pick<ReviewColumns, 'texts' | 'grams'>;
  readonly #stopWords: ReadonlySet<string>;
  readonly #matches = new Lru<readonly number[]>(KEPT_MATCHES, ({ length }) => length);

  constructor(columns: Pick<ReviewColumns, 'texts' | 'grams'>, stopWords: ReadonlySet<string>) {
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
    return this.#matches.get(JSON.stringify([places, words]), () => this.#look(words, places));
  }

  #look(words: readonly Word[], places: readonly QueryPlace[]): readonly number[] {
    const { grams } = this.#columns;
    const texts = places.map((place) => this.#columns.texts[place]);
    const wanted = words.filter(({ isExcluded }) => !isExcluded);
    const excluded = words.filter(({ isExcluded }) => isExcluded);
    let found: readonly number[] = grams.mayHaveAll(wanted);
    for (const word of wanted) found = found.filter((position) => hasIn(texts, position, word));
    for (const word of excluded.filter(({ as }) => as !== 'string')) {
      const marks = grams.mayHave(word);
      found = found.filter((position) => marks[position] === 0 || !hasIn(texts, position, word));
    }
    const strings = excluded.filter(({ as }) => as === 'string');
    if (strings.length === 0) return found;
    // One pattern for all, because short strings need every text.
    const any = new RegExp(strings.map(({ written }) => escaped(written)).join('|'));
    return found.filter((position) => !texts.some((text) => any.test(text[position] ?? '')));
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
