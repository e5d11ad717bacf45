import { SENTIMENTS, type GroupName } from '../schema/groups.ts';
import { sidesOf, type About } from './about.ts';
import type { Column } from './column.ts';
import type { ReviewColumns } from './review-columns.ts';

type Subject = Exclude<About, { kind: 'word' } | undefined>['kind'];

/** Returns the grouping that sentiments are about: people before those asked for, and these before aspects. */
export function subjectOf(groupBy: readonly GroupName[], asked: About): Subject | undefined {
  if (groupBy.includes('technician')) return 'technician';
  return groupBy.includes('aspect') && asked?.kind !== 'technician' ? 'aspect' : undefined;
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

  /**
   * Visits each cell of some reviews, given by their positions.
   *
   * @param visit takes the sentiments of the review about the cell as bits
   */
  each(
    reviews: ArrayLike<number>,
    visit: (cell: number, review: number, sides: number) => void,
  ): void {
    // Everything that the loops read is a local: they run a million times for one question.
    const { starts: rowStarts, ids: rowIds, sides: rowSides } = this.#rows;
    const { starts, ids, sides: ownSides, values } = this.#across;
    const [width, depth, ofReviews] = [values.length, this.#depth, this.#sides];
    const [isAboutRow, isAbout] = [this.#about === this.#rows, this.#about === this.#across];
    for (let index = 0; index < reviews.length; index++) {
      const review = reviews[index]!;
      const [first, end] = [starts[review]!, starts[review + 1]!];
      for (let row = rowStarts[review]!; row < rowStarts[review + 1]!; row++) {
        for (let at = first; at < end; at++) {
          const cell = rowIds[row]! * width + ids[at]!;
          let sides = ofReviews[review]!;
          if (isAboutRow) sides = rowSides[row]!;
          else if (isAbout) sides = ownSides[at]!;
          if (depth === 1) visit(cell, review, sides);
          else {
            for (let side = 0; side < depth; side++) {
              if ((sides & (1 << side)) !== 0) visit(cell * depth + side, review, sides);
            }
          }
        }
      }
    }
  }
}
