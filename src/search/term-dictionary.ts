import { isWord, SPACE } from './tokens.ts';

export interface TermDictionaryData {
  /** Every distinct token, by its number. */
  terms: string[];
  /** The k-gram index, k = 1 to 3: numbers of the terms that contain a gram, ascending. */
  grams: Map<string, number[]>;
}

/** The relation of a term to the query's token that it matches. */
export type Relation = 'equals' | 'includes' | 'startsWith' | 'endsWith';

/** Finds the terms of a corpus by any piece of them. */
export class TermDictionary {
  readonly #terms: string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #grams: ReadonlyMap<string, number[]>;

  constructor({ terms, grams }: TermDictionaryData) {
    this.#terms = terms;
    this.#numbers = new Map(terms.map((term, number) => [term, number]));
    this.#grams = grams;
  }

  get size(): number {
    return this.#terms.length;
  }

  /** Returns the numbers of the terms that have this relation to a token. */
  find(token: string, relation: Relation): number[] {
    if (relation === 'equals') {
      const number = this.#numbers.get(token);
      return number === undefined ? [] : [number];
    }
    const containing = this.#containing(token);
    if (relation === 'includes') return containing;
    const found = containing.filter((number) => this.#terms[number]![relation](token));
    // The space may also be one that the forward index leaves out beside a word.
    return token === SPACE ? [...found, ...this.#words()] : found;
  }

  #containing(piece: string): number[] {
    if (piece.length <= 3) return this.#grams.get(piece) ?? [];
    let rarest: number[] | undefined;
    for (let at = 0; at + 3 <= piece.length; at++) {
      const numbers = this.#grams.get(piece.slice(at, at + 3));
      if (numbers === undefined) return [];
      if (rarest === undefined || numbers.length < rarest.length) rarest = numbers;
    }
    return rarest!.filter((number) => this.#terms[number]!.includes(piece));
  }

  #words(): number[] {
    return this.#terms.flatMap((term, number) => (isWord(term) ? [number] : []));
  }
}

export function buildTermDictionary(terms: string[]): TermDictionaryData {
  const grams = new Map<string, number[]>();
  terms.forEach((term, number) => {
    for (let length = 1; length <= 3; length++) {
      for (let at = 0; at + length <= term.length; at++) {
        const gram = term.slice(at, at + length);
        const numbers = grams.get(gram);
        if (numbers === undefined) grams.set(gram, [number]);
        else if (numbers.at(-1) !== number) numbers.push(number);
      }
    }
  });
  return { terms, grams };
}
