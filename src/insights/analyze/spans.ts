/** Words of a text: the index of the first and their number. */
export interface Hit {
  at: number;
  length: number;
}

/** A range of words, both ends included. */
export interface Range {
  first: number;
  last: number;
}

/** Adds the indexes of the words of a hit. */
export function addWords(words: Set<number>, { at, length }: Hit): void {
  for (let word = at; word < at + length; word++) words.add(word);
}

/** Ranges of words by id, with a constant-time test for ranges inside them. */
export class Spans {
  /** For each word of a range, the end of the longest range that contains it. */
  readonly #ends = new Map<string, Map<number, number>>();

  /** @param length in words */
  add(id: string, at: number, length: number): void {
    let ends = this.#ends.get(id);
    if (!ends) this.#ends.set(id, (ends = new Map()));
    const end = at + length;
    for (let word = at; word < end; word++) ends.set(word, Math.max(end, ends.get(word) ?? 0));
  }

  /** Tells whether a range is inside one that was added for the same id. */
  cover(id: string, at: number, length: number): boolean {
    return (this.#ends.get(id)?.get(at) ?? 0) >= at + length;
  }
}
