import { addAll, addBit, bitsetWords, createBitset, type Bitset } from './bitset.ts';
import type { ForwardIndex } from './tokens.ts';

/** From this share of the documents on, a bitset is smaller than the list of positions. */
const BITSET_IS_SMALLER = 1 / 32;

export interface PostingsData {
  /** Positions of key `k`: `positions[starts[k] … starts[k + 1]]`; none of a dense key. */
  starts: Uint32Array;
  positions: Uint32Array;
  /** Keys that are dense, ascending. */
  dense: Uint32Array;
  /** The sets of documents of the dense keys, one after the other: few buffers are handed over fast. */
  denseSets: Uint32Array;
}

/**
 * The postings of keys, which are terms or biwords: the positions of a rare key in the forward
 * index, the set of documents of a dense one.
 */
export class Postings {
  readonly #forward: ForwardIndex;
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #dense: ReadonlyMap<number, Bitset>;

  constructor({ starts, positions, dense, denseSets }: PostingsData, forward: ForwardIndex) {
    this.#forward = forward;
    this.#starts = starts;
    this.#positions = positions;
    this.#dense = bitsetsOf(dense, denseSets, forward.documents);
  }

  isDense(key: number): boolean {
    return this.#dense.has(key);
  }

  /** Returns the number of occurrences of a key that is not dense. */
  occurrences(key: number): number {
    return this.#starts[key + 1]! - this.#starts[key]!;
  }

  /** Adds the documents of a key to a set. */
  addTo(set: Bitset, key: number): void {
    const dense = this.#dense.get(key);
    if (dense) {
      addAll(set, dense);
      return;
    }
    const end = this.#starts[key + 1]!;
    for (let at = this.#starts[key]!; at < end; at++) {
      addBit(set, this.#forward.documentAt(this.#positions[at]!));
    }
  }

  /** Returns the documents that have any of the keys. */
  union(keys: Uint32Array): Bitset {
    const set = createBitset(this.#forward.documents);
    for (const key of keys) this.addTo(set, key);
    return set;
  }

  /**
   * Adds the documents in which a term that is not dense has a wanted term beside it.
   *
   * @param step where to look: -1 before the term, 1 behind it
   * @param wanted 1 for each term allowed there
   */
  addBeside(set: Bitset, term: number, step: -1 | 1, wanted: Uint8Array): void {
    const { tokens, starts } = this.#forward;
    const end = this.#starts[term + 1]!;
    for (let at = this.#starts[term]!; at < end; at++) {
      const position = this.#positions[at]!;
      const beside = position + step;
      if (wanted[tokens[beside]!] !== 1) continue; // undefined at either end of the index
      const document = this.#forward.documentAt(position);
      const isSame = beside >= starts[document]! && beside < starts[document + 1]!;
      if (isSame) addBit(set, document);
    }
  }
}

/**
 * Builds the postings of some keys.
 *
 * @param denseFrom the occurrences, as a share of the documents, that make a key dense
 * @param mostDense at most this many keys are dense, the most frequent ones
 * @param eachOccurrence calls back for each occurrence of a key, positions ascending; it is called
 *   twice and must give the same both times
 */
export function buildPostings(
  keys: number,
  forward: ForwardIndex,
  denseFrom: number,
  mostDense: number,
  eachOccurrence: (occur: (key: number, position: number) => void) => void,
): PostingsData {
  const occurrences = new Uint32Array(keys);
  eachOccurrence((key) => occurrences[key]!++);

  const overflow = mostDense < keys ? occurrences.toSorted()[keys - 1 - mostDense]! : 0;
  const threshold = Math.max(overflow, forward.documents * denseFrom);
  const starts = new Uint32Array(keys + 1);
  const denseKeys: number[] = [];
  for (let key = 0; key < keys; key++) {
    const isDense = occurrences[key]! > threshold;
    if (isDense) denseKeys.push(key);
    starts[key + 1] = starts[key]! + (isDense ? 0 : occurrences[key]!);
  }
  const dense = Uint32Array.from(denseKeys);
  const denseSets = new Uint32Array(dense.length * bitsetWords(forward.documents));
  const sets = bitsetsOf(dense, denseSets, forward.documents);
  const positions = new Uint32Array(starts[keys]!);
  const next = starts.slice(0, keys);
  eachOccurrence((key, position) => {
    const documents = sets.get(key);
    if (documents) addBit(documents, forward.documentAt(position));
    else positions[next[key]!++] = position;
  });
  return { starts, positions, dense, denseSets };
}

/** Returns the set of each key: a view of `all`, where they lie one after the other. */
function bitsetsOf(keys: Uint32Array, all: Uint32Array, size: number): Map<number, Bitset> {
  const words = bitsetWords(size);
  const sets = new Map<number, Bitset>();
  keys.forEach((key, at) => sets.set(key, all.subarray(at * words, (at + 1) * words)));
  return sets;
}

export interface BiwordIndexData {
  /** Rank of each dense term among the dense ones; -1 for the other terms. */
  rank: Int32Array;
  /** Number of dense terms. */
  width: number;
  postings: PostingsData;
}

/**
 * Finds the documents that have two dense terms next to each other. Rare terms need no biwords:
 * they have few positions to look beside.
 */
export class BiwordIndex {
  readonly #rank: Int32Array;
  readonly #width: number;
  readonly #postings: Postings;

  constructor({ rank, width, postings }: BiwordIndexData, forward: ForwardIndex) {
    this.#rank = rank;
    this.#width = width;
    this.#postings = new Postings(postings, forward);
  }

  /** Adds the documents in which a term of `left` directly precedes one of `right`, all dense. */
  addTo(set: Bitset, left: Uint32Array, right: Uint32Array): void {
    for (const first of left) {
      const row = this.#rank[first]! * this.#width;
      for (const second of right) this.#postings.addTo(set, row + this.#rank[second]!);
    }
  }
}

export function buildBiwordIndex(
  dense: Uint32Array,
  terms: number,
  forward: ForwardIndex,
): BiwordIndexData {
  const width = dense.length;
  const rank = new Int32Array(terms).fill(-1);
  dense.forEach((term, at) => {
    rank[term] = at;
  });
  const { tokens, starts, documents } = forward;
  const postings = buildPostings(width ** 2, forward, BITSET_IS_SMALLER, Infinity, (occur) => {
    for (let document = 0; document < documents; document++) {
      const end = starts[document + 1]!;
      let before = -1;
      for (let at = starts[document]!; at < end; at++) {
        const own = rank[tokens[at]!]!;
        if (before >= 0 && own >= 0) occur(before * width + own, at);
        before = own;
      }
    }
  });
  return { rank, width, postings };
}
