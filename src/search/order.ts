import { readReview, reviewId, type ReviewLines } from '../dataset/document.ts';
import { dayNumber } from '../dataset/since.ts';
import { readCursor, writeCursor, type Cursor, type Sort } from '../schema/cursor.ts';
import type { SearchFilters } from '../schema/search.ts';
import type { ReviewColumns } from './review-columns.ts';

/** Direction of the key of each order: 0 if only the days count. */
const DIRECTIONS: Record<Sort, -1 | 0 | 1> = {
  newest: 0,
  oldest: 0,
  highest: -1,
  lowest: 1,
  longest: -1,
};

/** Puts matches in order and cuts them into pages. */
export class ReviewOrder {
  readonly #lines: ReviewLines;
  readonly #columns: ReviewColumns;
  /** The positions of all reviews by sort, made on first use. */
  readonly #ordered: Partial<Record<Sort, readonly number[]>> = {};

  constructor(lines: ReviewLines, columns: ReviewColumns) {
    this.#lines = lines;
    this.#columns = columns;
  }

  /** Returns one page of the matches, and the cursor of the next one unless it is the last. */
  page(
    found: readonly number[],
    { cursor, sort, limit }: Pick<SearchFilters, 'cursor' | 'sort' | 'limit'>,
  ): { positions: number[]; next?: string } {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const order = sort ?? after?.sort ?? 'newest';
    const positions: number[] = [];
    for (const position of this.#inOrder(found, order)) {
      if (after && !this.#isBehind(position, after)) continue;
      if (positions.length === limit) {
        return { positions, next: this.#cursorAt(positions.at(-1)!, order) };
      }
      positions.push(position);
    }
    return { positions };
  }

  #inOrder(found: readonly number[], sort: Sort): readonly number[] {
    if (sort === 'newest') return found;
    if (sort === 'oldest') return found.toReversed();
    const keys = this.#keysOf(sort);
    this.#ordered[sort] ??= Array.from(keys.keys()).sort(
      (a, b) => DIRECTIONS[sort] * (keys[a]! - keys[b]!) || a - b,
    );
    const isFound = new Uint8Array(keys.length);
    for (const position of found) isFound[position] = 1;
    return this.#ordered[sort].filter((position) => isFound[position] === 1);
  }

  /** Tells whether a review comes after a place. */
  #isBehind(position: number, { sort, key, date, id }: Cursor): boolean {
    const further = DIRECTIONS[sort] * (this.#keysOf(sort)[position]! - key);
    if (further !== 0) return further > 0;
    const later = this.#columns.days[position]! - dayNumber(date);
    if (later !== 0) return sort === 'oldest' ? later > 0 : later < 0;
    const other = reviewId(this.#lines, position);
    return sort === 'oldest' ? other > id : other < id;
  }

  /** Returns the keys of cursors, by position. */
  #keysOf(sort: Sort): readonly number[] {
    return sort === 'longest' ? this.#columns.lengths : this.#columns.stars;
  }

  #cursorAt(position: number, sort: Sort): string {
    const { id, date } = readReview(this.#lines, position);
    return writeCursor({ sort, key: this.#keysOf(sort)[position]!, date, id });
  }
}
