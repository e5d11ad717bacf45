/** Stretches of words, each of something; what lies inside one is found without a search. */
export class Spans {
  /** For each word of a stretch, where the longest that holds it ends. */
  readonly #ends = new Map<string, Map<number, number>>();

  /** @param length in words */
  add(id: string, at: number, length: number): void {
    let ends = this.#ends.get(id);
    if (!ends) this.#ends.set(id, (ends = new Map()));
    const end = at + length;
    for (let word = at; word < end; word++) ends.set(word, Math.max(end, ends.get(word) ?? 0));
  }

  /** Tells whether a stretch lies inside one of the same thing. */
  cover(id: string, at: number, length: number): boolean {
    return (this.#ends.get(id)?.get(at) ?? 0) >= at + length;
  }
}
