import { SENTIMENTS, type GroupName } from '../schema/groups.ts';
import { sidesOf, type About, type Column, type ReviewColumns } from './review-columns.ts';
import type { Pieces } from './pieces.ts';

type Subject = Exclude<About, { kind: 'word' } | undefined>['kind'];

/** Reviews that are placed between two pauses. */
const PIECE = 32_768;

/** Returns the grouping that sentiments are about: people before those asked for, and these before aspects. */
export function subjectOf(groupBy: readonly GroupName[], asked: About): Subject | undefined {
  if (groupBy.includes('technician')) return 'technician';
  return groupBy.includes('aspect') && asked?.kind !== 'technician' ? 'aspect' : undefined;
}

/** Reviews in the cells that they belong to: each list has the same length. */
export interface Placed {
  cells: Uint32Array;
  /** Positions, in the order that they were given. */
  reviews: Uint32Array;
  /** The sentiments of the review about the cell, as bits. */
  sides: Uint8Array;
}

/** The combinations of values in none, one or two groupings, as numbers. */
export class Cells {
  /** Number of cells, used or not. */
  readonly size: number;
  readonly #groupBy: readonly GroupName[];
  readonly #rows: Column;
  readonly #across: Column;
  /** Cells that differ by their sentiment alone. */
  readonly #depth: number;
  readonly #about: Column | undefined;
  readonly #sides: Uint8Array;

  constructor(columns: ReviewColumns, groupBy: readonly GroupName[], asked: About) {
    const names = groupBy.filter((name) => name !== 'sentiment');
    const [row = 'all', across = 'all'] = names;
    this.#groupBy = groupBy;
    this.#rows = columns.values[row];
    this.#across = columns.values[across];
    this.#depth = names.length < groupBy.length ? SENTIMENTS.length : 1;
    const subject = subjectOf(groupBy, asked);
    this.#about = subject && columns.values[subject];
    this.#sides = sidesOf(columns, asked);
    this.size = this.#rows.values.length * this.#across.values.length * this.#depth;
  }

  /** Returns the value of a cell in each grouping. */
  valuesOf(cell: number): string[] {
    const pair = Math.floor(cell / this.#depth);
    const width = this.#across.values.length;
    const values = [
      this.#rows.values[Math.floor(pair / width)]!,
      this.#across.values[pair % width]!,
    ];
    return this.#groupBy.map((name) =>
      name === 'sentiment' ? SENTIMENTS[cell % this.#depth]! : values.shift()!,
    );
  }

  /** Places some reviews, given by their positions. */
  *place(reviews: readonly number[]): Pieces<Placed> {
    const capacity = this.#capacityFor(reviews);
    const [cells, placed, sides] = [
      new Uint32Array(capacity),
      new Uint32Array(capacity),
      new Uint8Array(capacity),
    ];
    let end = 0;
    for (let from = 0; from < reviews.length; from += PIECE) {
      yield;
      const to = Math.min(from + PIECE, reviews.length);
      end = this.#placePiece(reviews, from, to, { cells, reviews: placed, sides }, end);
    }
    return {
      cells: cells.subarray(0, end),
      reviews: placed.subarray(0, end),
      sides: sides.subarray(0, end),
    };
  }

  #capacityFor(reviews: readonly number[]): number {
    const [{ starts: rows }, { starts }] = [this.#rows, this.#across];
    let pairs = 0;
    for (let index = 0; index < reviews.length; index++) {
      const review = reviews[index]!;
      pairs += (rows[review + 1]! - rows[review]!) * (starts[review + 1]! - starts[review]!);
    }
    return pairs * this.#depth;
  }

  /** Returns the new end of what is placed. */
  #placePiece(
    reviews: readonly number[],
    from: number,
    to: number,
    placed: Placed,
    start: number,
  ): number {
    let end = start;
    // Everything that the loops read is a local: they run a million times for one question.
    const { starts: rowStarts, ids: rowIds, sides: rowSides } = this.#rows;
    const { starts, ids, sides: ownSides, values } = this.#across;
    const { cells, reviews: positions, sides: allSides } = placed;
    const [width, depth, ofReviews] = [values.length, this.#depth, this.#sides];
    const [isAboutRow, isAbout] = [this.#about === this.#rows, this.#about === this.#across];
    for (let index = from; index < to; index++) {
      const review = reviews[index]!;
      const [first, last] = [starts[review]!, starts[review + 1]!];
      for (let row = rowStarts[review]!; row < rowStarts[review + 1]!; row++) {
        for (let at = first; at < last; at++) {
          const cell = (rowIds[row]! * width + ids[at]!) * depth;
          let sides = ofReviews[review]!;
          if (isAboutRow) sides = rowSides[row]!;
          else if (isAbout) sides = ownSides[at]!;
          for (let side = 0; side < depth; side++) {
            if (depth > 1 && (sides & (1 << side)) === 0) continue;
            cells[end] = cell + side;
            positions[end] = review;
            allSides[end++] = sides;
          }
        }
      }
    }
    return end;
  }
}
