import type { Bitset } from './bitset.ts';
import type { Postings } from './postings.ts';
import { isWord, SPACE } from './tokens.ts';

/** Few values and no strings of their own, so that a worker can hand an index over at once. */
export interface TermDictionaryData {
  /** Every distinct token, joined in the order of their numbers. */
  text: string;
  /** Beginnings of the terms in `text`, and the end of the last one. */
  starts: Uint32Array;
  /** The k-gram index, k = 1 to 3: the code of each gram, ascending. */
  grams: Float64Array;
  /** Beginnings of the terms of each gram in `containing`, and the end of the last ones. */
  gramStarts: Uint32Array;
  /** Numbers of the terms that contain a gram, ascending, gram by gram. */
  containing: Uint32Array;
}

/** The relation of a term to the query's token that it matches. */
export type Relation = 'equals' | 'includes' | 'startsWith' | 'endsWith';

const LONGEST_GRAM = 3;

/** Finds the terms of a corpus by any piece of them. */
export class TermDictionary {
  readonly #data: TermDictionaryData;

  constructor(data: TermDictionaryData) {
    this.#data = data;
  }

  get size(): number {
    return this.#data.starts.length - 1;
  }

  /** Returns the numbers of the terms that have this relation to a token, ascending. */
  find(token: string, relation: Relation): Uint32Array {
    const candidates = this.#candidates(token);
    // The space may also be one that the forward index leaves out beside a word.
    if (token === SPACE && (relation === 'startsWith' || relation === 'endsWith')) {
      return this.#all().filter(
        (number) => isWord(this.#term(number)) || this.#term(number)[relation](SPACE),
      );
    }
    if (relation === 'includes') {
      if (token.length <= LONGEST_GRAM) return candidates;
      return candidates.filter((number) => this.#term(number).includes(token));
    }
    // Compares in place: broad patterns have tens of thousands of candidates.
    const { text, starts } = this.#data;
    const { length } = token;
    return candidates.filter((number) => {
      const from = starts[number]!;
      const last = starts[number + 1]! - length;
      if (relation === 'equals') return from === last && text.startsWith(token, from);
      return last >= from && text.startsWith(token, relation === 'startsWith' ? from : last);
    });
  }

  /** Returns the terms that contain the rarest gram of a token. */
  #candidates(token: string): Uint32Array {
    let rarest = this.#withGram(token.slice(0, LONGEST_GRAM));
    for (let at = 1; at + LONGEST_GRAM <= token.length; at++) {
      const numbers = this.#withGram(token.slice(at, at + LONGEST_GRAM));
      if (numbers.length < rarest.length) rarest = numbers;
    }
    return rarest;
  }

  #withGram(gram: string): Uint32Array {
    const { grams, gramStarts, containing } = this.#data;
    const code = gramCode(gram, 0, gram.length);
    let low = 0;
    for (let high = grams.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (grams[middle]! < code) low = middle + 1;
      else high = middle;
    }
    return grams[low] === code
      ? containing.subarray(gramStarts[low], gramStarts[low + 1])
      : containing.subarray(0, 0);
  }

  #term(number: number): string {
    const { text, starts } = this.#data;
    return text.slice(starts[number], starts[number + 1]);
  }

  #all(): Uint32Array {
    return Uint32Array.from({ length: this.size }, (_, number) => number);
  }
}

export function buildTermDictionary(terms: readonly string[]): TermDictionaryData {
  const starts = new Uint32Array(terms.length + 1);
  const byGram = new Map<number, number[]>();
  terms.forEach((term, number) => {
    starts[number + 1] = starts[number]! + term.length;
    for (let length = 1; length <= LONGEST_GRAM; length++) {
      for (let at = 0; at + length <= term.length; at++) {
        const gram = gramCode(term, at, length);
        const numbers = byGram.get(gram);
        if (numbers === undefined) byGram.set(gram, [number]);
        else if (numbers.at(-1) !== number) numbers.push(number);
      }
    }
  });
  const grams = Float64Array.from(byGram.keys()).sort();
  const gramStarts = new Uint32Array(grams.length + 1);
  grams.forEach((gram, at) => {
    gramStarts[at + 1] = gramStarts[at]! + byGram.get(gram)!.length;
  });
  const containing = new Uint32Array(gramStarts.at(-1)!);
  grams.forEach((gram, at) => containing.set(byGram.get(gram)!, gramStarts[at]!));
  return { text: terms.join(''), starts, grams, gramStarts, containing };
}

/** Returns a number for up to three UTF-16 code units, different for each. */
function gramCode(text: string, from: number, length: number): number {
  let code = 0;
  for (let at = from; at < from + length; at++) code = code * 0x10001 + text.charCodeAt(at) + 1;
  return code;
}

/** The terms that match one token of a pattern. */
export class TermExpansion {
  readonly terms: Uint32Array;
  readonly dense: Uint32Array;
  readonly rare: Uint32Array;
  /** Occurrences of all rare terms together. */
  readonly occurrences: number;
  readonly #postings: Postings;
  readonly #dictionarySize: number;
  #documents: Bitset | undefined;
  #members: Uint8Array | undefined;

  constructor(terms: Uint32Array, postings: Postings, dictionarySize: number) {
    this.terms = terms;
    this.dense = terms.filter((term) => postings.isDense(term));
    this.rare = terms.filter((term) => !postings.isDense(term));
    this.occurrences = this.rare.reduce((sum, term) => sum + postings.occurrences(term), 0);
    this.#postings = postings;
    this.#dictionarySize = dictionarySize;
  }

  /** Returns the documents that have any of the terms; not to be changed. */
  documents(): Bitset {
    this.#documents ??= this.#postings.union(this.terms);
    return this.#documents;
  }

  /** Returns 1 for each of the terms, by number, and 0 for no term; not to be changed. */
  members(): Uint8Array {
    if (!this.#members) {
      this.#members = new Uint8Array(this.#dictionarySize + 1);
      for (const term of this.terms) this.#members[term] = 1;
    }
    return this.#members;
  }
}
