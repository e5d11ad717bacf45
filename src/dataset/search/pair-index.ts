import type { Bitset } from './bitset.ts';
import { Postings } from './postings.ts';
import type { RunStream } from './run-stream.ts';

/** A run in fewer documents than this share is rare: its own postings are short enough. */
export const FREQUENT_SHARE = 1 / 64;

/**
 * Which documents have two frequent runs next to each other. For rare runs the documents of the
 * run are few and can be looked at one by one; for frequent ones they would be most of the corpus.
 */
export class PairIndex {
  /** Run number to a small number, -1 for rare runs. */
  readonly #rank: Int32Array;
  readonly #width: number;
  readonly #postings: Postings;

  constructor(frequent: readonly number[], runCount: number, stream: RunStream) {
    this.#width = frequent.length;
    this.#rank = new Int32Array(runCount).fill(-1);
    frequent.forEach((run, rank) => {
      this.#rank[run] = rank;
    });
    const { runs, starts } = stream;
    const documents = starts.length - 1;
    this.#postings = new Postings(this.#width ** 2, documents, (post) => {
      for (let document = 0; document < documents; document++) {
        const end = starts[document + 1]!;
        let before = -1;
        for (let at = starts[document]!; at < end; at++) {
          const rank = this.#rank[runs[at]!]!;
          if (before >= 0 && rank >= 0) post(before * this.#width + rank, document);
          before = rank;
        }
      }
    });
  }

  isFrequent(run: number): boolean {
    return this.#rank[run]! >= 0;
  }

  /** Adds the documents in which a run of `left` stands before one of `right`, all frequent. */
  addTo(set: Bitset, left: readonly number[], right: readonly number[]): void {
    for (const first of left) {
      const row = this.#rank[first]! * this.#width;
      for (const second of right) this.#postings.addTo(set, row + this.#rank[second]!);
    }
  }
}
