import type { Bitset } from './bitset.ts';
import type { Postings } from './postings.ts';

/** The runs that may stand in one place of a pattern. */
export class RunSet {
  readonly runs: readonly number[];
  readonly dense: readonly number[];
  readonly sparse: readonly number[];
  /** How often the sparse ones occur, all together. */
  readonly occurrences: number;
  /** Most of the vocabulary: to look at each of its runs would cost more than at documents. */
  readonly isBroad: boolean;
  readonly #postings: Postings;
  readonly #vocabularySize: number;
  #documents: Bitset | undefined;
  #members: Uint8Array | undefined;

  constructor(runs: readonly number[], postings: Postings, vocabularySize: number) {
    this.runs = runs;
    this.dense = runs.filter((run) => postings.isDense(run));
    this.sparse = runs.filter((run) => !postings.isDense(run));
    this.occurrences = this.sparse.reduce((sum, run) => sum + postings.occurrences(run), 0);
    this.isBroad = runs.length * 2 > vocabularySize;
    this.#postings = postings;
    this.#vocabularySize = vocabularySize;
  }

  /** Documents that have any of the runs; not to be changed. */
  documents(): Bitset {
    this.#documents ??= this.#postings.union(this.runs);
    return this.#documents;
  }

  /** 1 for each run of the set; not to be changed. */
  members(): Uint8Array {
    if (!this.#members) {
      this.#members = new Uint8Array(this.#vocabularySize);
      for (const run of this.runs) this.#members[run] = 1;
    }
    return this.#members;
  }
}

/** A set of fewer runs is made anew faster than it would be worth its place. */
const WORTH_KEEPING = 64;
/** A kept set holds a bit a document and a byte a run: together a small part of the dataset. */
const MAX_KEPT = 96;

/** Remembers the sets of short pieces: there are few of them, and each stands for many runs. */
export class RunSetCache {
  readonly #kept = new Map<string, RunSet>();

  get(key: string, make: () => RunSet): RunSet {
    const known = this.#kept.get(key);
    if (known) return known;
    const made = make();
    if (made.runs.length >= WORTH_KEEPING) {
      if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
      this.#kept.set(key, made);
    }
    return made;
  }
}
