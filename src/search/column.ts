import { SENTIMENTS } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';

/**
 * The values of one kind that reviews have, as numbers: those of a review are the ids from
 * `starts[position]` up to `starts[position + 1]`, each once.
 */
export interface Column {
  /** By id. */
  values: readonly string[];
  starts: Uint32Array;
  ids: Uint32Array;
  /** Beside each id the sentiments of that review about the value, as bits. */
  sides: Uint8Array;
}

/** Returns the bit of a sentiment. */
export function bitOf(sentiment: Sentiment): number {
  return 1 << SENTIMENTS.indexOf(sentiment);
}

/** Makes a column review by review. */
export class ColumnBuilder {
  readonly #known = new Map<string, number>();
  readonly #starts = [0];
  readonly #ids: number[] = [];
  readonly #sides: number[] = [];

  /** Adds the values of the next review. @param sides the sentiments about each */
  add(values: readonly string[], sides: readonly number[] = []): void {
    const start = this.#ids.length;
    for (const [at, value] of values.entries()) {
      const id = this.#known.get(value) ?? this.#known.size;
      this.#known.set(value, id);
      const known = this.#ids.indexOf(id, start);
      if (known === -1) this.#sides[this.#ids.push(id) - 1] = sides[at] ?? 0;
      else this.#sides[known]! |= sides[at] ?? 0;
    }
    this.#starts.push(this.#ids.length);
  }

  build(): Column {
    return {
      values: [...this.#known.keys()],
      starts: Uint32Array.from(this.#starts),
      ids: Uint32Array.from(this.#ids),
      sides: Uint8Array.from(this.#sides),
    };
  }
}

/** Passes no review. */
export const NEVER = (): boolean => false;

/** Returns a test for reviews with any of some values; `NEVER` if no review has one. */
export function hasAny(
  { values, starts, ids }: Column,
  wanted: readonly string[],
): (position: number) => boolean {
  const isWanted = Uint8Array.from(values, (value) => Number(wanted.includes(value)));
  if (!isWanted.includes(1)) return NEVER;
  return (position) => {
    for (let at = starts[position]!; at < starts[position + 1]!; at++) {
      if (isWanted[ids[at]!] === 1) return true;
    }
    return false;
  };
}

/**
 * Returns positions by their keys, which are whole numbers from 0; equal ones stay in order.
 *
 * @param direction negative for the greatest first
 */
export function inOrderOf(keys: ArrayLike<number>, direction = 1): Uint32Array {
  let greatest = 0;
  for (let at = 0; at < keys.length; at++) greatest = Math.max(greatest, keys[at]!);
  const rankAt = (at: number) => (direction < 0 ? greatest - keys[at]! : keys[at]!);
  const places = new Uint32Array(greatest + 2);
  for (let at = 0; at < keys.length; at++) places[rankAt(at) + 1]!++;
  for (let rank = 1; rank < places.length; rank++) places[rank]! += places[rank - 1]!;
  const order = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at++) order[places[rankAt(at)]!++] = at;
  return order;
}
