import { startsWithWord } from './tokens.ts';

export interface RunVocabularySnapshot {
  runs: string[];
  grams: Map<string, number[]>;
}

/** Every distinct run of a corpus, numbered, and found by any piece of it. */
export class RunVocabulary {
  readonly runs: string[];
  readonly #ids: Map<string, number>;
  readonly #grams: Map<string, number[]>;

  constructor({ runs, grams }: RunVocabularySnapshot = { runs: [], grams: new Map() }) {
    this.runs = runs;
    this.#ids = new Map(runs.map((run, id) => [run, id]));
    this.#grams = grams;
  }

  snapshot(): RunVocabularySnapshot {
    return { runs: this.runs, grams: this.#grams };
  }

  get size(): number {
    return this.runs.length;
  }

  /** The number of a run; a new one is taken in. */
  add(run: string): number {
    const known = this.#ids.get(run);
    if (known !== undefined) return known;
    const id = this.runs.length;
    this.runs.push(run);
    this.#ids.set(run, id);
    return id;
  }

  find(run: string): number | undefined {
    return this.#ids.get(run);
  }

  /** Call once when all runs are in. */
  indexGrams(): void {
    this.runs.forEach((run, id) => {
      for (let length = 1; length <= 3; length++) {
        for (let at = 0; at + length <= run.length; at++)
          this.#post(run.slice(at, at + length), id);
      }
    });
  }

  /** Numbers of the runs that contain the piece. */
  containing(piece: string): number[] {
    if (piece.length <= 3) return this.#grams.get(piece) ?? [];
    let rarest: number[] | undefined;
    for (let at = 0; at + 3 <= piece.length; at++) {
      const ids = this.#grams.get(piece.slice(at, at + 3));
      if (ids === undefined) return [];
      if (rarest === undefined || ids.length < rarest.length) rarest = ids;
    }
    return rarest!.filter((id) => this.runs[id]!.includes(piece));
  }

  /** Numbers of the runs that are words, not separators. */
  words(): number[] {
    return this.runs.flatMap((run, id) => (startsWithWord(run) ? [id] : []));
  }

  endingWith(piece: string): number[] {
    return this.containing(piece).filter((id) => this.runs[id]!.endsWith(piece));
  }

  startingWith(piece: string): number[] {
    return this.containing(piece).filter((id) => this.runs[id]!.startsWith(piece));
  }

  #post(gram: string, id: number): void {
    const ids = this.#grams.get(gram);
    if (ids === undefined) this.#grams.set(gram, [id]);
    else if (ids.at(-1) !== id) ids.push(id);
  }
}
