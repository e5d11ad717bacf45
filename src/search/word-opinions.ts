import { readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines } from '../dataset/labels.ts';
import type { Sentiment } from '../schema/insights.ts';
import type { NarrowWord } from './filter-names.ts';
import { fold } from './fold.ts';
import { Lru } from './lru.ts';
import type { WordMatcher } from './text-index.ts';
import { hasWord } from './words.ts';

/** The positions of the reviews that mention a word, in order, with the sentiments of the clauses that have it. */
export type SaidOfWord = ReadonlyMap<number, readonly Sentiment[]>;

/** Reviews that are kept of the last words, all of them together. */
const KEPT = 50_000;

/** Finds the reviews that mention a word for a part of an id, with the sentiment about that word alone. */
export class WordOpinions {
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;
  readonly #words: WordMatcher;
  readonly #known = new Lru<SaidOfWord>(KEPT, ({ size }) => size);

  constructor(lines: ReviewLines, labels: LabelLines | undefined, words: WordMatcher) {
    this.#lines = lines;
    this.#labels = labels;
    this.#words = words;
  }

  /** Returns the reviews that mention a word; neutral are those in which no opinion of it was read. */
  find(narrow: NarrowWord): SaidOfWord {
    const key = JSON.stringify([narrow.word.forms, narrow.wider]);
    return this.#known.get(key, () => {
      const found = this.#words.find([narrow.word]);
      return new Map(found.map((position) => [position, this.#sidesOf(position, narrow)]));
    });
  }

  #sidesOf(position: number, { word, wider }: NarrowWord): Sentiment[] {
    const judged = this.#labels?.read(position).aspects ?? [];
    const own = judged.filter(
      ({ id, quote }) => quote !== null && (wider.length === 0 || wider.includes(id)),
    );
    const text = own.length > 0 ? (readReview(this.#lines, position).text ?? '') : '';
    const sides = own
      .filter(({ quote }) => hasWord(fold(text.slice(...quote!)), word))
      .map(({ sentiment }) => sentiment);
    return sides.length > 0 ? sides : ['neutral'];
  }
}
