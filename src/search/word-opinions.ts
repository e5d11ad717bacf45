import { readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines } from '../dataset/labels.ts';
import { bitOf } from './column.ts';
import type { NarrowWord } from './filter-names.ts';
import { Lru } from '../base/lru.ts';
import { atOnce } from './pieces.ts';
import type { ReadQuery } from './read-query.ts';
import type { WordSearch } from './word-search.ts';

/** The positions of the reviews that mention a word, with the sentiments of the clauses that have it, as bits. */
export type SaidOfWord = ReadonlyMap<number, number>;

/** Reviews that are kept of the last words, all of them together, with the letters of the words. */
const KEPT = 50_000;

/** Finds the reviews that mention a word for a part of an id, with the sentiment about that word alone. */
export class WordOpinions {
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;
  readonly #words: WordSearch;
  readonly #known = new Lru<SaidOfWord>(KEPT, ({ size }, word) => size + word.length);

  constructor(lines: ReviewLines, labels: LabelLines | undefined, words: WordSearch) {
    this.#lines = lines;
    this.#labels = labels;
    this.#words = words;
  }

  /** Returns the reviews that mention a word; neutral are those in which no opinion of it was read. */
  find(narrow: NarrowWord): SaidOfWord {
    const { word: query, wider } = narrow;
    return this.#known.get(JSON.stringify([query, wider]), () => {
      const asked = { query, match: 'term' } as const;
      const reading = atOnce(this.#words.read(asked));
      const found = this.#words.find(asked);
      return new Map(found.map((position) => [position, this.#sidesOf(position, wider, reading)]));
    });
  }

  #sidesOf(position: number, wider: readonly string[], reading: ReadQuery): number {
    const all = this.#labels?.read(position).aspects ?? [];
    const own = all.filter(({ id }) => wider.length === 0 || wider.includes(id));
    const { text, title } = readReview(this.#lines, position);
    let sides = 0;
    for (const { quote, sentiment } of own) {
      // A quote without a place in the text is of the title.
      const said = (quote ? text?.slice(...quote) : title) ?? '';
      if (this.#words.marksIn(said, reading).length > 0) sides |= bitOf(sentiment);
    }
    return sides || bitOf('neutral');
  }
}
