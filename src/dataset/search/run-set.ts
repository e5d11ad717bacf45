import type { Bitset } from './bitset.ts';
import type { PairIndex } from './pair-index.ts';
import type { Postings } from './postings.ts';

/** The runs that may stand in one place of a pattern, and the documents that have any of them. */
export class RunSet {
  readonly runs: readonly number[];
  readonly frequent: readonly number[];
  readonly rare: readonly number[];
  readonly #postings: Postings;
  #documents: Bitset | undefined;
  #rareDocuments: Bitset | undefined;

  constructor(runs: readonly number[], postings: Postings, pairs: PairIndex) {
    this.runs = runs;
    this.frequent = runs.filter((run) => pairs.isFrequent(run));
    this.rare = runs.filter((run) => !pairs.isFrequent(run));
    this.#postings = postings;
  }

  /** Documents that have any of the runs; not to be changed. */
  documents(): Bitset {
    this.#documents ??= this.#postings.union(this.runs);
    return this.#documents;
  }

  /** Documents that have any of the rare runs; not to be changed. */
  rareDocuments(): Bitset {
    this.#rareDocuments ??= this.#postings.union(this.rare);
    return this.#rareDocuments;
  }
}

/** A set of fewer runs is made anew faster than it would be worth its place. */
const WORTH_KEEPING = 64;
/** At two bits a document each, all kept sets together stay a fraction of the dataset. */
const MAX_KEPT = 256;

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
