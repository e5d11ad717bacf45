import { addAll, addBit, createBitset, type Bitset } from './bitset.ts';

/** Calls back with (key, document) pairs, documents ascending; must give the same pairs each time. */
export type EachPosting = (post: (key: number, document: number) => void) => void;

/** Which documents have which key: a bitset where that is smaller than a list. */
export class Postings {
  readonly #documents: number;
  /** Documents of key `k`: `#sparse[#starts[k] … #starts[k + 1]]`. */
  readonly #starts: Uint32Array;
  readonly #sparse: Uint32Array;
  readonly #dense = new Map<number, Bitset>();

  constructor(keys: number, documents: number, eachPosting: EachPosting) {
    this.#documents = documents;
    const frequency = new Uint32Array(keys);
    const distinct = onlyFirstInDocument(keys, eachPosting);
    distinct((key) => frequency[key]!++);

    this.#starts = new Uint32Array(keys + 1);
    for (let key = 0; key < keys; key++) {
      const dense = frequency[key]! * 32 > documents;
      if (dense) this.#dense.set(key, createBitset(documents));
      this.#starts[key + 1] = this.#starts[key]! + (dense ? 0 : frequency[key]!);
    }
    this.#sparse = new Uint32Array(this.#starts[keys]!);
    const next = this.#starts.slice();
    distinct((key, document) => {
      const dense = this.#dense.get(key);
      if (dense) addBit(dense, document);
      else this.#sparse[next[key]!++] = document;
    });
  }

  /** Adds the documents of a key to a set. */
  addTo(set: Bitset, key: number): void {
    const dense = this.#dense.get(key);
    if (dense) {
      addAll(set, dense);
      return;
    }
    const end = this.#starts[key + 1]!;
    for (let at = this.#starts[key]!; at < end; at++) addBit(set, this.#sparse[at]!);
  }

  union(keys: readonly number[]): Bitset {
    const set = createBitset(this.#documents);
    for (const key of keys) this.addTo(set, key);
    return set;
  }

  /** Keys that stand in at least this share of the documents. */
  frequent(share: number): number[] {
    const least = share * this.#documents;
    const keys = [...this.#dense.keys()];
    for (let key = 0; key + 1 < this.#starts.length; key++) {
      const listed = this.#starts[key + 1]! - this.#starts[key]!;
      if (listed > 0 && listed >= least) keys.push(key);
    }
    return keys;
  }
}

function onlyFirstInDocument(keys: number, eachPosting: EachPosting): EachPosting {
  return (post) => {
    const seenIn = new Int32Array(keys).fill(-1);
    eachPosting((key, document) => {
      if (seenIn[key] === document) return;
      seenIn[key] = document;
      post(key, document);
    });
  };
}
