import type { Bitset } from './bitset.ts';
import { BITSET_IS_SMALLER, collectPostings, Postings, type PostingsSnapshot } from './postings.ts';
import type { RunStream } from './forward-index.ts';

export interface PairIndexSnapshot {
  /** Run number to a small number, -1 for runs that are not dense. */
  rank: Int32Array;
  /** How many runs are dense. */
  width: number;
  postings: PostingsSnapshot;
}

/**
 * Which documents have two dense runs next to each other. Other runs are few enough to look beside
 * each of their positions; those of a dense run would be most of the corpus.
 */
export class PairIndex {
  readonly #rank: Int32Array;
  readonly #width: number;
  readonly #postings: Postings;

  constructor({ rank, width, postings }: PairIndexSnapshot, stream: RunStream) {
    this.#rank = rank;
    this.#width = width;
    this.#postings = new Postings(postings, stream);
  }

  snapshot(): PairIndexSnapshot {
    return { rank: this.#rank, width: this.#width, postings: this.#postings.snapshot() };
  }

  /** Adds the documents in which a run of `left` stands before one of `right`, all dense. */
  addTo(set: Bitset, left: readonly number[], right: readonly number[]): void {
    for (const first of left) {
      const row = this.#rank[first]! * this.#width;
      for (const second of right) this.#postings.addTo(set, row + this.#rank[second]!);
    }
  }
}

export function collectPairs(
  dense: readonly number[],
  runCount: number,
  stream: RunStream,
): PairIndex {
  const width = dense.length;
  const rank = new Int32Array(runCount).fill(-1);
  dense.forEach((run, index) => {
    rank[run] = index;
  });
  const { runs, starts, documents } = stream;
  const postings = collectPostings(width ** 2, stream, BITSET_IS_SMALLER, (occur) => {
    for (let document = 0; document < documents; document++) {
      const end = starts[document + 1]!;
      let before = -1;
      for (let at = starts[document]!; at < end; at++) {
        const own = rank[runs[at]!]!;
        if (before >= 0 && own >= 0) occur(before * width + own, at);
        before = own;
      }
    }
  });
  return new PairIndex({ rank, width, postings: postings.snapshot() }, stream);
}
