import type { ReviewLines } from './document.ts';

const ID_LENGTH = 26;
/** Every line begins with it: `id` is the first field of a published review. */
const BEFORE_ID = '{"id":"'.length;
const EMPTY = 0;

/**
 * Finds reviews by id in the bytes of reviews.json: a table of positions, open addressing, eight
 * bytes a review. A Map of the ids would take ten times that.
 */
export class ReviewIds {
  readonly #lines: ReviewLines;
  /** Positions plus one. */
  readonly #slots: Uint32Array;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(lines.count * 2 + 1)));
    const mask = this.#slots.length - 1;
    for (let position = 0; position < lines.count; position++) {
      let slot = hash(lines.bytes, this.#start(position)) & mask;
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      this.#slots[slot] = position + 1;
    }
  }

  /** The position in reviews.json; undefined for an id that no review has. */
  positionOf(id: string): number | undefined {
    const wanted = Buffer.from(id);
    if (wanted.length !== ID_LENGTH) return undefined;
    const mask = this.#slots.length - 1;
    for (let slot = hash(wanted, 0) & mask; this.#slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const position = this.#slots[slot]! - 1;
      const start = this.#start(position);
      if (wanted.compare(this.#lines.bytes, start, start + ID_LENGTH) === 0) return position;
    }
    return undefined;
  }

  at(position: number): string {
    const start = this.#start(position);
    return this.#lines.bytes.toString('latin1', start, start + ID_LENGTH);
  }

  /** The newest ids that begin with this, at most so many. */
  startingWith(prefix: string, most: number): string[] {
    return this.#collect(most, (start, bytes) => {
      for (let index = 0; index < prefix.length; index++) {
        if (bytes[start + index] !== prefix.charCodeAt(index)) return false;
      }
      return prefix.length <= ID_LENGTH;
    });
  }

  /** The newest ids that differ from this one in at most `differing` characters. */
  near(id: string, differing: number, most: number): string[] {
    if (id.length !== ID_LENGTH) return [];
    return this.#collect(most, (start, bytes) => {
      let left = differing;
      for (let index = 0; index < ID_LENGTH; index++) {
        if (bytes[start + index] !== id.charCodeAt(index) && left-- === 0) return false;
      }
      return true;
    });
  }

  #collect(most: number, matches: (start: number, bytes: Buffer) => boolean): string[] {
    const found: string[] = [];
    for (let position = 0; position < this.#lines.count && found.length < most; position++) {
      if (matches(this.#start(position), this.#lines.bytes)) found.push(this.at(position));
    }
    return found;
  }

  #start(position: number): number {
    return this.#lines.starts[position]! + BEFORE_ID;
  }
}

/** FNV-1a. */
function hash(bytes: Buffer, start: number): number {
  let value = 0x811c9dc5;
  for (let index = start; index < start + ID_LENGTH; index++) {
    value = Math.imul(value ^ bytes[index]!, 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}
