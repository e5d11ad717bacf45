import { reviewId, type ReviewLines } from '../dataset/document.ts';
import { countSince, dayNumber } from '../dataset/since.ts';
import { readCursor, writeCursor, type Cursor, type Sort } from '../schema/cursor.ts';
import type { SearchFilters } from '../schema/search.ts';
import { firstBits, hasBit, intersection, keepRange, lastBits, type Bitset } from './bitset.ts';

const BEST_FIRST = ['5', '4', '3', '2', '1'];
/** More than the reviews of an edition, and than the characters of a text. */
const POSITIONS = 2 ** 24;
const CHARACTERS = 2 ** 28;

/** Returns a number that sorts longer texts first, newer ones first among equals. */
function lengthKey(length: number, position: number): number {
  return Math.max(0, CHARACTERS - length) * POSITIONS + position;
}

/** Puts matches in order and cuts them into pages. */
export class ReviewOrder {
  readonly #lines: ReviewLines;
  readonly #days: Uint32Array;
  readonly #ratings: ReadonlyMap<string, Bitset>;
  readonly #lengths: Uint32Array;
  #longestFirst: Float64Array | undefined;

  /**
   * @param days of the reviews as numbers, newest first
   * @param lengths of their texts, in characters
   * @param ratings positions by stars
   */
  constructor(
    lines: ReviewLines,
    { days, lengths }: { days: Uint32Array; lengths: Uint32Array },
    ratings: ReadonlyMap<string, Bitset>,
  ) {
    this.#lines = lines;
    this.#days = days;
    this.#lengths = lengths;
    this.#ratings = ratings;
  }

  /** Returns one page of the matches, and the cursor of the next one unless it is the last. */
  page(
    found: Bitset,
    { cursor, sort, limit }: Pick<SearchFilters, 'cursor' | 'sort' | 'limit'>,
  ): { positions: number[]; next?: string } {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const order = sort ?? after?.sort ?? 'newest';
    const positions = this.#ordered(found, order, limit + 1, after);
    if (positions.length <= limit) return { positions };
    positions.pop();
    return { positions, next: this.#cursorAt(positions.at(-1)!, order) };
  }

  /** Returns the first matches of an order, behind a cursor if one is given. */
  #ordered(found: Bitset, sort: Sort, most: number, after: Cursor | undefined): number[] {
    if (sort === 'newest') return firstBits(after ? this.#older(found, after) : found, most);
    if (sort === 'oldest') {
      const rest = found.slice();
      if (after) keepRange(rest, 0, this.#positionFrom(after, true));
      return lastBits(rest, most);
    }
    if (sort === 'longest') return this.#longest(found, most, after);
    const stars = sort === 'highest' ? BEST_FIRST : BEST_FIRST.toReversed();
    const positions: number[] = [];
    for (const rating of stars.slice(after ? stars.indexOf(String(after.key)) : 0)) {
      const rated = this.#ratings.get(rating);
      if (!rated) continue;
      const both = intersection(found, rated);
      const rest = rating === String(after?.key) ? this.#older(both, after!) : both;
      positions.push(...firstBits(rest, most - positions.length));
      if (positions.length === most) break;
    }
    return positions;
  }

  #longest(found: Bitset, most: number, after: Cursor | undefined): number[] {
    this.#longestFirst ??= Float64Array.from(this.#lengths, lengthKey).sort();
    const first = after ? lengthKey(after.key, this.#positionFrom(after, false)) : 0;
    const positions: number[] = [];
    for (const key of this.#longestFirst) {
      if (key < first) continue;
      const position = key % POSITIONS;
      if (hasBit(found, position)) positions.push(position);
      if (positions.length === most) break;
    }
    return positions;
  }

  #older(found: Bitset, after: Cursor): Bitset {
    const rest = found.slice();
    keepRange(rest, this.#positionFrom(after, false), this.#lines.count);
    return rest;
  }

  /**
   * Returns the first position, newest first, that is not newer than a cursor.
   *
   * @param inclusive counts the review of the cursor itself as not newer
   */
  #positionFrom({ date, id }: Cursor, inclusive: boolean): number {
    let low = countSince(this.#days, dayNumber(date) + 1);
    let high = countSince(this.#days, dayNumber(date));
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = reviewId(this.#lines, middle);
      if (other > id || (!inclusive && other === id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #cursorAt(position: number, sort: Sort): string {
    const day = String(this.#days[position]);
    const rating = BEST_FIRST.find((stars) => {
      const rated = this.#ratings.get(stars);
      return rated !== undefined && hasBit(rated, position);
    });
    return writeCursor({
      sort,
      key: sort === 'longest' ? this.#lengths[position]! : Number(rating),
      date: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
      id: reviewId(this.#lines, position),
    });
  }
}
