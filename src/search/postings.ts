import { addAll, addBit, bitsetWords, createBitset, type Bitset } from './bitset.ts';
import type { ForwardIndex, Terms } from './tokens.ts';

/** From this share of the documents on, a bitset is smaller than the list of positions. */
const BITSET_IS_SMALLER = 1 / 32;

export interface PostingsData {
  /** Occurrences of key `k`: `documents[starts[k] … starts[k + 1]]`; none of a dense key. */
  starts: Uint32Array;
  documents: Uint32Array;
  /** Keys that are dense, ascending. */
  dense: Uint32Array;
  /** The sets of documents of the dense keys, one after the other: few buffers are handed over fast. */
  denseSets: Uint32Array;
}

/**
 * The postings of keys, which are terms or biwords: the document of each occurrence of a rare key,
 * the set of documents of a dense one.
 */
export class Postings {
  readonly #size: number;
  readonly #starts: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #dense: ReadonlyMap<number, Bitset>;
  /** 1 for each dense key: a broad pattern asks for thousands of keys, and a map would take longer. */
  readonly #isDense: Uint8Array;

  /** @param size the number of documents */
  constructor({ starts, documents, dense, denseSets }: PostingsData, size: number) {
    this.#size = size;
    this.#starts = starts;
    this.#documents = documents;
    this.#dense = bitsetsOf(dense, denseSets, size);
    this.#isDense = new Uint8Array(starts.length - 1);
    for (const key of dense) this.#isDense[key] = 1;
  }

  isDense(key: number): boolean {
    return this.#isDense[key] === 1;
  }

  /** Returns the number of occurrences of a key that is not dense. */
  occurrences(key: number): number {
    return this.#starts[key + 1]! - this.#starts[key]!;
  }

  /** Adds the documents of a key to a set. */
  addTo(set: Bitset, key: number): void {
    if (this.isDense(key)) {
      addAll(set, this.#dense.get(key)!);
      return;
    }
    const end = this.#starts[key + 1]!;
    for (let at = this.#starts[key]!; at < end; at++) addBit(set, this.#documents[at]!);
  }

  /** Returns the documents that have any of the keys. */
  union(keys: Uint32Array): Bitset {
    const set = createBitset(this.#size);
    for (const key of keys) this.addTo(set, key);
    return set;
  }

  /**
   * Adds the documents in which a key that is not dense occurs with a wanted term beside it.
   *
   * @param beside the term beside each occurrence, on one side
   * @param wanted 1 for each term allowed there
   */
  addBeside(set: Bitset, key: number, beside: Terms, wanted: Uint8Array): void {
    const end = this.#starts[key + 1]!;
    for (let at = this.#starts[key]!; at < end; at++) {
      if (wanted[beside[at]!] === 1) addBit(set, this.#documents[at]!);
    }
  }
}

/**
 * Builds the postings of some keys, and tells the position of each occurrence in them.
 *
 * @param size the number of documents
 * @param denseFrom the occurrences, as a share of the documents, that make a key dense
 * @param mostDense at most this many keys are dense, the most frequent ones
 * @param eachOccurrence calls back for each occurrence of a key, with its document and position,
 *   ascending; it is called twice and must give the same both times
 */
export function buildPostings(
  keys: number,
  size: number,
  denseFrom: number,
  mostDense: number,
  eachOccurrence: (occur: (key: number, document: number, position: number) => void) => void,
): { postings: PostingsData; positions: Uint32Array } {
  const occurrences = new Uint32Array(keys);
  eachOccurrence((key) => occurrences[key]!++);

  const overflow = mostDense < keys ? occurrences.toSorted()[keys - 1 - mostDense]! : 0;
  const threshold = Math.max(overflow, size * denseFrom);
  const starts = new Uint32Array(keys + 1);
  const denseKeys: number[] = [];
  for (let key = 0; key < keys; key++) {
    const isDense = occurrences[key]! > threshold;
    if (isDense) denseKeys.push(key);
    starts[key + 1] = starts[key]! + (isDense ? 0 : occurrences[key]!);
  }
  const dense = Uint32Array.from(denseKeys);
  const denseSets = new Uint32Array(dense.length * bitsetWords(size));
  const sets = bitsetsOf(dense, denseSets, size);
  const documents = new Uint32Array(starts[keys]!);
  const positions = new Uint32Array(starts[keys]!);
  const next = starts.slice(0, keys);
  eachOccurrence((key, document, position) => {
    const set = sets.get(key);
    if (set) {
      addBit(set, document);
      return;
    }
    documents[next[key]!] = document;
    positions[next[key]!++] = position;
  });
  return { postings: { starts, documents, dense, denseSets }, positions };
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

  constructor({ rank, width, postings }: BiwordIndexData, size: number) {
    this.#rank = rank;
    this.#width = width;
    this.#postings = new Postings(postings, size);
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
  const { tokens, starts } = forward;
  const documents = starts.length - 1;
  const { postings } = buildPostings(
    width ** 2,
    documents,
    BITSET_IS_SMALLER,
    Infinity,
    (occur) => {
      for (let document = 0; document < documents; document++) {
        const end = starts[document + 1]!;
        let before = -1;
        for (let at = starts[document]!; at < end; at++) {
          const own = rank[tokens[at]!]!;
          if (before >= 0 && own >= 0) occur(before * width + own, document, at);
          before = own;
        }
      }
    },
  );
  return { rank, width, postings };
}
