import { reviewId, type ReviewLines } from '../dataset/document.ts';
import { dayNumber, dayOfNumber } from '../base/days.ts';
import { firstIndex } from '../base/first-index.ts';
import { readCursor, writeCursor, type Cursor, type Sort } from '../schema/cursor.ts';
import type { SearchFilters } from '../schema/search.ts';
import { inOrderOf } from './column.ts';
import type { ReviewColumns } from './review-columns.ts';

/** Direction of the key of each order: 0 if only the days count. */
const DIRECTIONS: Record<Sort, -1 | 0 | 1> = {
  newest: 0,
  oldest: 0,
  highest: -1,
  lowest: 1,
  longest: -1,
  telling: -1,
};

/** Puts matches in order and cuts them into pages. */
export class ReviewOrder {
  readonly #lines: ReviewLines;
  readonly #columns: ReviewColumns;
  /** The positions of all reviews by sort, made on first use. */
  readonly #ordered: Partial<Record<Sort, Uint32Array>> = {};

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
    const ordered = this.#inOrder(found, order);
    const start = after ? this.#placeBehind(ordered, after) : 0;
    const positions = ordered.slice(start, start + limit);
    const isLast = start + limit >= ordered.length;
    return { positions, ...(!isLast && { next: this.#cursorAt(positions.at(-1)!, order) }) };
  }

  #inOrder(found: readonly number[], sort: Sort): readonly number[] {
    if (sort === 'newest') return found;
    if (sort === 'oldest') return found.toReversed();
    const keys = this.#keysOf(sort);
    this.#ordered[sort] ??= inOrderOf(keys, DIRECTIONS[sort]);
    const isFound = new Uint8Array(keys.length);
    for (const position of found) isFound[position] = 1;
    const ordered: number[] = [];
    for (const position of this.#ordered[sort]) if (isFound[position] === 1) ordered.push(position);
    return ordered;
  }

  /** Returns the index of the first review behind that of a cursor. */
  #placeBehind(ordered: ArrayLike<number>, { sort, key, date, id }: Cursor): number {
    const keys = this.#keysOf(sort);
    const day = dayNumber(date);
    const isBehind = (position: number): boolean => {
      const further = DIRECTIONS[sort] * (keys[position]! - key);
      if (further !== 0) return further > 0;
      const later = this.#columns.days[position]! - day;
      if (later !== 0) return sort === 'oldest' ? later > 0 : later < 0;
      const other = reviewId(this.#lines, position);
      return sort === 'oldest' ? other > id : other < id;
    };
    return firstIndex(ordered.length, (at) => isBehind(ordered[at]!));
  }

  /** Returns the keys of cursors, by position. */
  #keysOf(sort: Sort): ArrayLike<number> {
    if (sort === 'telling') return this.#columns.telling;
    return sort === 'longest' ? this.#columns.lengths : this.#columns.stars;
  }

  #cursorAt(position: number, sort: Sort): string {
    const date = dayOfNumber(this.#columns.days[position]!);
    const id = reviewId(this.#lines, position);
    return writeCursor({ sort, key: this.#keysOf(sort)[position]!, date, id });
  }
}
