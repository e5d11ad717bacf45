import { readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines } from '../dataset/labels.ts';
import type { Sentiment } from '../schema/insights.ts';
import type { NarrowWord } from './filter-names.ts';
import { Lru } from '../base/lru.ts';
import { atOnce } from './pieces.ts';
import type { ReadQuery } from './read-query.ts';
import type { WordSearch } from './word-search.ts';

/** The positions of the reviews that mention a word, in order, with the sentiments of the clauses that have it. */
export type SaidOfWord = ReadonlyMap<number, readonly Sentiment[]>;

/** Reviews that are kept of the last words, all of them together. */
const KEPT = 50_000;

/** Finds the reviews that mention a word for a part of an id, with the sentiment about that word alone. */
export class WordOpinions {
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;
  readonly #words: WordSearch;
  readonly #known = new Lru<SaidOfWord>(KEPT, ({ size }) => size);

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

  #sidesOf(position: number, wider: readonly string[], reading: ReadQuery): Sentiment[] {
    const judged = this.#labels?.read(position).aspects ?? [];
    const own = judged.filter(({ id }) => wider.length === 0 || wider.includes(id));
    if (own.length === 0) return ['neutral'];
    const { text, title } = readReview(this.#lines, position);
    // A quote without a place in the text is of the title.
    const said = (quote: readonly [number, number] | null) =>
      (quote ? text?.slice(...quote) : title) ?? '';
    const sides = own
      .filter(({ quote }) => this.#words.marksIn(said(quote), reading).length > 0)
      .map(({ sentiment }) => sentiment);
    return sides.length > 0 ? sides : ['neutral'];
  }
}
