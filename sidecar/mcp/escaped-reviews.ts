import { reviewLine, type ReviewLines } from '../../src/dataset/document.ts';

/** Room for what is remembered; more only where one answer needs it. */
const ROOM = 8 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reviews as they stand inside a JSON string. To escape a byte costs many times what copying it
 * does, so what was escaped is remembered; when the room is full it starts anew.
 */
export class EscapedReviews {
  readonly #lines: ReviewLines;
  /** Where each review begins in the room, plus one; 0 for one that is not there. */
  readonly #starts: Uint32Array;
  readonly #lengths: Uint32Array;
  #room: Buffer;
  #used = 0;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
    this.#starts = new Uint32Array(lines.count);
    this.#lengths = new Uint32Array(lines.count);
    this.#room = Buffer.allocUnsafeSlow(Math.min(ROOM, 2 * lines.bytes.length));
  }

  /** Makes these reviews ready to be copied. @returns their bytes together */
  prepare(positions: readonly number[]): number {
    let needed = 0;
    for (const position of positions) {
      if (this.#starts[position] === 0) needed += 2 * reviewLine(this.#lines, position).length;
    }
    if (needed > this.#room.length - this.#used) this.#startAnew(positions);
    let bytes = 0;
    for (const position of positions) {
      if (this.#starts[position] === 0) this.#escape(position);
      bytes += this.#lengths[position]!;
    }
    return bytes;
  }

  /** Copies a review that was made ready. @returns its length */
  copy(position: number, target: Buffer, at: number): number {
    const start = this.#starts[position]! - 1;
    return this.#room.copy(target, at, start, start + this.#lengths[position]!);
  }

  #startAnew(positions: readonly number[]): void {
    const worst = positions.reduce(
      (sum, position) => sum + 2 * reviewLine(this.#lines, position).length,
      0,
    );
    if (worst > this.#room.length) this.#room = Buffer.allocUnsafeSlow(worst);
    this.#starts.fill(0);
    this.#used = 0;
  }

  /** A review's line has no control character: quotes and backslashes are all there is to escape. */
  #escape(position: number): void {
    const line = reviewLine(this.#lines, position);
    const room = this.#room;
    const start = this.#used;
    let at = start;
    for (let index = 0; index < line.length; index++) {
      const byte = line[index]!;
      if (byte === QUOTE || byte === BACKSLASH) room[at++] = BACKSLASH;
      room[at++] = byte;
    }
    this.#starts[position] = start + 1;
    this.#lengths[position] = at - start;
    this.#used = at;
  }
}

const known = new WeakMap<ReviewLines, EscapedReviews>();

/** Those of an edition, which go with it. */
export function escapedReviews(lines: ReviewLines): EscapedReviews {
  let escaped = known.get(lines);
  if (!escaped) {
    escaped = new EscapedReviews(lines);
    known.set(lines, escaped);
  }
  return escaped;
}
