import { addAll, addBit, createBitset, type Bitset } from './bitset.ts';
import type { RunStream } from './forward-index.ts';

/** From this share on a bitset is smaller than the list of positions. */
export const BITSET_IS_SMALLER = 1 / 32;

/** Calls back for each occurrence of a key, positions ascending; the same ones each time. */
export type EachOccurrence = (occur: (key: number, position: number) => void) => void;

export interface PostingsSnapshot {
  /** Positions of key `k`: `positions[starts[k] … starts[k + 1]]`; none of a dense key. */
  starts: Uint32Array;
  positions: Uint32Array;
  /** Documents of a dense key. */
  dense: Map<number, Bitset>;
}

/** Where keys occur: as positions where they are few, else as the set of their documents. */
export class Postings {
  readonly #stream: RunStream;
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #dense: Map<number, Bitset>;

  constructor({ starts, positions, dense }: PostingsSnapshot, stream: RunStream) {
    this.#stream = stream;
    this.#starts = starts;
    this.#positions = positions;
    this.#dense = dense;
  }

  snapshot(): PostingsSnapshot {
    return { starts: this.#starts, positions: this.#positions, dense: this.#dense };
  }

  isDense(key: number): boolean {
    return this.#dense.has(key);
  }

  /** How often a key that is not dense occurs. */
  occurrences(key: number): number {
    return this.#starts[key + 1]! - this.#starts[key]!;
  }

  denseKeys(): number[] {
    return [...this.#dense.keys()];
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
      addBit(set, this.#stream.documentAt(this.#positions[at]!));
    }
  }

  /** Documents that have any of the keys. */
  union(keys: readonly number[]): Bitset {
    const set = createBitset(this.#stream.documents);
    for (const key of keys) this.addTo(set, key);
    return set;
  }

  /**
   * Adds the documents in which a key that is not dense has a wanted run beside it.
   *
   * @param step where to look: -1 before the key, 1 behind it
   * @param wanted 1 for each run that may stand there
   */
  addBeside(set: Bitset, key: number, step: -1 | 1, wanted: Uint8Array): void {
    const { runs } = this.#stream;
    const end = this.#starts[key + 1]!;
    for (let at = this.#starts[key]!; at < end; at++) {
      const position = this.#positions[at]!;
      const beside = position + step;
      if (wanted[runs[beside]!] !== 1) continue; // undefined at either end of the stream
      const document = this.#stream.documentAt(position);
      if (this.#stream.documentAt(beside) === document) addBit(set, document);
    }
  }
}

/** @param denseFrom the occurrences, as a share of the documents, that make a key dense */
export function collectPostings(
  keys: number,
  stream: RunStream,
  denseFrom: number,
  eachOccurrence: EachOccurrence,
): Postings {
  const occurrences = new Uint32Array(keys);
  eachOccurrence((key) => occurrences[key]!++);

  const dense = new Map<number, Bitset>();
  const starts = new Uint32Array(keys + 1);
  for (let key = 0; key < keys; key++) {
    const isDense = occurrences[key]! > stream.documents * denseFrom;
    if (isDense) dense.set(key, createBitset(stream.documents));
    starts[key + 1] = starts[key]! + (isDense ? 0 : occurrences[key]!);
  }
  const positions = new Uint32Array(starts[keys]!);
  const next = starts.slice(0, keys);
  eachOccurrence((key, position) => {
    const documents = dense.get(key);
    if (documents) addBit(documents, stream.documentAt(position));
    else positions[next[key]!++] = position;
  });
  return new Postings({ starts, positions, dense }, stream);
}
