import { addAll, addBit, createBitset, firstBits, keepCommon, type Bitset } from './bitset.ts';
import { fold } from './fold.ts';
import { RunVocabulary } from './run-vocabulary.ts';
import { splitRuns } from './runs.ts';

/**
 * Exact substring search without reading texts.
 *
 * A text is a sequence of runs (runs.ts), and so is a pattern. A pattern of one run matches where
 * a run contains it. A longer one matches where its first run ends a run of the text, its middle
 * runs stand whole, and its last run begins one. Runs are found through their grams, texts through
 * the postings of runs, and the order of runs in the text itself settles it.
 */
export class TextIndex {
  readonly #documents: number;
  readonly #vocabulary: RunVocabulary;
  /** Run numbers of all texts, one after the other. */
  readonly #stream: Uint16Array | Uint32Array;
  /** Where the runs of a document begin; one more at the end. */
  readonly #starts: Uint32Array;
  /** Documents of a rare run: `#sparse[#sparseStarts[run] … #sparseStarts[run + 1]]`, ascending. */
  readonly #sparse: Uint32Array;
  readonly #sparseStarts: Uint32Array;
  /** Documents of a frequent run, where a bitset is smaller than a list. */
  readonly #dense: ReadonlyMap<number, Bitset>;

  /** @param texts null where a document has no text: it never matches */
  constructor(documents: number, texts: Iterable<string | null>) {
    this.#documents = documents;
    this.#vocabulary = new RunVocabulary();
    const stream = new GrowingArray();
    this.#starts = new Uint32Array(documents + 1);
    let document = 0;
    for (const text of texts) {
      if (text !== null) {
        splitRuns(fold(text), (run) => stream.push(this.#vocabulary.add(run)));
      }
      this.#starts[++document] = stream.length;
    }
    this.#stream = stream.compact(this.#vocabulary.size);
    this.#vocabulary.indexGrams();

    const frequency = this.#documentFrequency();
    this.#dense = this.#denseRuns(frequency);
    this.#sparseStarts = new Uint32Array(this.#vocabulary.size + 1);
    for (let run = 0; run < this.#vocabulary.size; run++) {
      const listed = this.#dense.has(run) ? 0 : frequency[run]!;
      this.#sparseStarts[run + 1] = this.#sparseStarts[run]! + listed;
    }
    this.#sparse = new Uint32Array(this.#sparseStarts.at(-1)!);
    this.#fillPostings();
  }

  /** Documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const runs: string[] = [];
    splitRuns(fold(pattern), (run) => runs.push(run));
    if (runs.length === 1) return this.#union(this.#vocabulary.containing(runs[0]!));

    const first = this.#vocabulary.endingWith(runs[0]!);
    const last = this.#vocabulary.startingWith(runs.at(-1)!);
    const middle = runs.slice(1, -1).map((run) => this.#vocabulary.find(run) ?? -1);
    if (first.length === 0 || last.length === 0 || middle.includes(-1)) {
      return createBitset(this.#documents);
    }
    const candidates = this.#union(first);
    keepCommon(candidates, this.#union(last));
    for (const run of middle) keepCommon(candidates, this.#union([run]));
    return this.#verified(candidates, first, middle, last);
  }

  #verified(candidates: Bitset, first: number[], middle: number[], last: number[]): Bitset {
    const stream = this.#stream;
    const width = middle.length + 1;
    const role = new Uint8Array(this.#vocabulary.size);
    for (const run of first) role[run]! |= FIRST;
    for (const run of last) role[run]! |= LAST;
    for (const document of firstBits(candidates, this.#documents)) {
      const end = this.#starts[document + 1]! - width;
      let at = this.#starts[document]!;
      for (; at < end; at++) {
        if ((role[stream[at]!]! & FIRST) === 0 || (role[stream[at + width]!]! & LAST) === 0)
          continue;
        if (middle.every((run, index) => stream[at + 1 + index] === run)) break;
      }
      if (at >= end) candidates[document >>> 5]! &= ~(1 << (document & 31));
    }
    return candidates;
  }

  #union(runs: number[]): Bitset {
    const set = createBitset(this.#documents);
    for (const run of runs) {
      const dense = this.#dense.get(run);
      if (dense) {
        addAll(set, dense);
        continue;
      }
      const end = this.#sparseStarts[run + 1]!;
      for (let at = this.#sparseStarts[run]!; at < end; at++) addBit(set, this.#sparse[at]!);
    }
    return set;
  }

  /** Calls back once for each distinct run of each document, documents ascending. */
  #eachPosting(post: (run: number, document: number) => void): void {
    const seenIn = new Int32Array(this.#vocabulary.size).fill(-1);
    for (let document = 0; document < this.#documents; document++) {
      const end = this.#starts[document + 1]!;
      for (let at = this.#starts[document]!; at < end; at++) {
        const run = this.#stream[at]!;
        if (seenIn[run] === document) continue;
        seenIn[run] = document;
        post(run, document);
      }
    }
  }

  #documentFrequency(): Uint32Array {
    const frequency = new Uint32Array(this.#vocabulary.size);
    this.#eachPosting((run) => frequency[run]!++);
    return frequency;
  }

  #denseRuns(frequency: Uint32Array): Map<number, Bitset> {
    const dense = new Map<number, Bitset>();
    frequency.forEach((documents, run) => {
      if (documents * 32 > this.#documents) dense.set(run, createBitset(this.#documents));
    });
    return dense;
  }

  #fillPostings(): void {
    const next = this.#sparseStarts.slice();
    this.#eachPosting((run, document) => {
      const dense = this.#dense.get(run);
      if (dense) addBit(dense, document);
      else this.#sparse[next[run]!++] = document;
    });
  }
}

const FIRST = 1;
const LAST = 2;

class GrowingArray {
  length = 0;
  #values = new Uint32Array(1 << 16);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Uint32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length++] = value;
  }

  /** The values in the smallest array that holds numbers below `limit`. */
  compact(limit: number): Uint16Array | Uint32Array {
    const used = this.#values.subarray(0, this.length);
    return limit <= 0x10000 ? Uint16Array.from(used) : used.slice();
  }
}
