import { readReview, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines } from '../dataset/labels.ts';
import type { Sentiment } from '../schema/insights.ts';
import { addBit, createBitset, firstBits, type Bitset } from './bitset.ts';
import type { NarrowWord } from './filter-names.ts';
import { fold } from './fold.ts';
import { Lru } from './lru.ts';
import type { WordMatcher } from './word-matcher.ts';
import { hasWord } from './words.ts';

/** Reviews that mention a word, and what they say of it. */
export interface SaidOfWord {
  found: Bitset;
  /** By sentiment of the clauses that have the word; neutral where no opinion was read in them. */
  said: Readonly<Record<Sentiment, Bitset>>;
}

/** Words that are kept; each takes four bits per review. */
const KEPT = 64;

/** Finds the reviews that mention a word for a part of an id, with the sentiment about that word alone. */
export class WordOpinions {
  readonly #lines: ReviewLines;
  readonly #labels: LabelLines | undefined;
  readonly #words: WordMatcher;
  readonly #known = new Lru<SaidOfWord>(KEPT);

  constructor(lines: ReviewLines, labels: LabelLines | undefined, words: WordMatcher) {
    this.#lines = lines;
    this.#labels = labels;
    this.#words = words;
  }

  /** Returns the reviews that mention a word; they must not be changed. */
  find({ word, wider }: NarrowWord): SaidOfWord {
    const key = JSON.stringify([word.forms, wider]);
    const kept = this.#known.find(key);
    if (kept) return kept;
    const found = this.#words.find([word]);
    const set = () => createBitset(this.#lines.count);
    const said = { positive: set(), neutral: set(), negative: set() };
    for (const position of firstBits(found)) {
      const sides = this.#sidesOf(position, { word, wider });
      for (const side of sides) addBit(said[side], position);
    }
    const mentioning = { found, said };
    this.#known.keep(key, mentioning);
    return mentioning;
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
