import { dayNumber, dayOfNumber } from '../base/days.ts';
import { firstIndex } from '../base/first-index.ts';
import { countSince } from '../dataset/since.ts';
import {
  readCursor,
  writeCursor,
  type ReviewFilters,
  type SearchFilters,
  type Cursor,
  type Sort,
} from '../schema/search.ts';
import {
  sidesOf,
  bitOf,
  hasAny,
  NEVER,
  type About,
  type ReviewColumns,
  type SaidOfWord,
} from './review-columns.ts';
import { NAME_FILTERS, type Meaning, type NameFilter, type NarrowWord } from './filter-names.ts';
import { readReview, reviewId, type ReviewLines } from '../dataset/document.ts';
import type { LabelLines } from '../dataset/labels.ts';
import { Lru } from '../base/kept.ts';
import { atOnce } from './pieces.ts';
import type { ReadQuery } from './read-query.ts';
import type { WordSearch } from './word-search.ts';

/** Reviews that are kept of the last words, all of them together, with the letters of the words. */
const KEPT = 50_000;

interface IndexedReviews {
  lines: ReviewLines;
  /** Undefined if the edition has none. */
  labels: LabelLines | undefined;
  columns: ReviewColumns;
  words: WordSearch;
}

/** Tests reviews by all filters but the query. */
export class ReviewFilter {
  readonly #reviews: IndexedReviews;
  readonly #saidOfWords = new Lru<SaidOfWord>(KEPT, ({ size }, word) => size + word.length);

  constructor(reviews: IndexedReviews) {
    this.#reviews = reviews;
  }

  /**
   * Returns what sentiments are about: people before aspects, so that no other blame falls on them, and words
   * before the ids they belong to.
   */
  aboutOf({ ids: { mentions_technician: people, aspect }, narrow }: Meaning): About {
    if (people) return { kind: 'technician', ids: people };
    if (narrow.aspect) return { kind: 'word', said: this.#saidOf(narrow.aspect) };
    return aspect && { kind: 'aspect', ids: aspect };
  }

  /** Returns those of some positions that match all filters but the query. */
  pass(positions: readonly number[], filters: ReviewFilters, meaning: Meaning): readonly number[] {
    const tests = [...this.#testsOf(filters, meaning)];
    if (tests.includes(NEVER)) return [];
    let found = this.#between(positions, filters);
    for (const is of tests) found = found.filter(is);
    return found;
  }

  /** Returns those of some positions, newest first, that are of some days. */
  #between(positions: readonly number[], { since, until }: ReviewFilters): readonly number[] {
    if (since === undefined && until === undefined) return positions;
    const { days } = this.#reviews.columns;
    const first = until === undefined ? 0 : countSince(days, dayNumber(until) + 1);
    const end = since === undefined ? days.length : countSince(days, dayNumber(since));
    const placeOf = (position: number) =>
      firstIndex(positions.length, (at) => positions[at]! >= position);
    return positions.slice(placeOf(first), placeOf(end));
  }

  /** Returns a test of positions for each filter but the query and the days. */
  *#testsOf(filters: ReviewFilters, meaning: Meaning): Generator<(position: number) => boolean> {
    const { stars, values } = this.#reviews.columns;
    const { rating, min_rating: lowest, max_rating: highest, sentiment } = filters;
    const { has_reply: hasReply, has_text: hasText } = filters;
    if (rating !== undefined) yield (position) => stars[position] === rating;
    if (lowest !== undefined) yield (position) => stars[position]! >= lowest;
    if (highest !== undefined) yield (position) => stars[position]! <= highest;
    if (hasReply !== undefined) yield hasAny(values.replied, [String(hasReply)]);
    if (hasText !== undefined) yield hasAny(values.worded, [String(hasText)]);
    for (const narrow of Object.values(meaning.narrow)) {
      const said = this.#saidOf(narrow);
      yield (position) => said.has(position);
    }
    for (const [parameter, ids] of Object.entries(meaning.ids)) {
      yield hasAny(values[NAME_FILTERS[parameter as NameFilter]], ids);
    }
    for (const [parameter, ids] of Object.entries(meaning.excluded)) {
      const isExcluded = hasAny(values[NAME_FILTERS[parameter as NameFilter]], ids);
      yield (position) => !isExcluded(position);
    }
    if (sentiment !== undefined) {
      const sides = sidesOf(this.#reviews.columns, this.aboutOf(meaning));
      yield (position) => (sides[position]! & bitOf(sentiment)) !== 0;
    }
  }

  /** Returns the reviews that mention a word; neutral are those in which no opinion of it was read. */
  #saidOf(narrow: NarrowWord): SaidOfWord {
    const { word: query, wider } = narrow;
    return this.#saidOfWords.get(JSON.stringify([query, wider]), () => {
      const asked = { query, match: 'term' } as const;
      const reading = atOnce(this.#reviews.words.read(asked));
      const found = this.#reviews.words.find(asked);
      return new Map(found.map((position) => [position, this.#sidesOf(position, wider, reading)]));
    });
  }

  #sidesOf(position: number, wider: readonly string[], reading: ReadQuery): number {
    const all = this.#reviews.labels?.read(position).aspects ?? [];
    const own = all.filter(({ id }) => wider.length === 0 || wider.includes(id));
    const { text, title } = readReview(this.#reviews.lines, position);
    let sides = 0;
    for (const { quote, sentiment } of own) {
      // A quote without a place in the text is of the title.
      const said = (quote ? text?.slice(...quote) : title) ?? '';
      if (this.#reviews.words.marksIn(said, reading).length > 0) sides |= bitOf(sentiment);
    }
    return sides || bitOf('neutral');
  }
}

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
  readonly #reviews: Pick<IndexedReviews, 'lines' | 'columns'>;
  /** The positions of all reviews by sort, made on first use. */
  readonly #ordered: Partial<Record<Sort, Uint32Array>> = {};

  constructor(reviews: Pick<IndexedReviews, 'lines' | 'columns'>) {
    this.#reviews = reviews;
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
      const later = this.#reviews.columns.days[position]! - day;
      if (later !== 0) return sort === 'oldest' ? later > 0 : later < 0;
      const other = reviewId(this.#reviews.lines, position);
      return sort === 'oldest' ? other > id : other < id;
    };
    return firstIndex(ordered.length, (at) => isBehind(ordered[at]!));
  }

  /** Returns the keys of cursors, by position. */
  #keysOf(sort: Sort): ArrayLike<number> {
    if (sort === 'telling') return this.#reviews.columns.telling;
    return sort === 'longest' ? this.#reviews.columns.lengths : this.#reviews.columns.stars;
  }

  #cursorAt(position: number, sort: Sort): string {
    const date = dayOfNumber(this.#reviews.columns.days[position]!);
    const id = reviewId(this.#reviews.lines, position);
    return writeCursor({ sort, key: this.#keysOf(sort)[position]!, date, id });
  }
}

/**
 * Returns positions by their keys, which are whole numbers from 0; equal ones stay in order.
 *
 * @param direction negative for the greatest first
 */
function inOrderOf(keys: ArrayLike<number>, direction = 1): Uint32Array {
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
