import type { ReviewGroup } from '../schema/count.ts';
import { meanOrNull, percentageOrNull } from '../base/round.ts';
import { SENTIMENTS, type GroupName } from '../schema/groups.ts';
import { sidesOf, type About } from './about.ts';
import { Cells, subjectOf } from './cells.ts';
import { bitOf, type Column } from './column.ts';
import type { Pieces } from './pieces.ts';
import {
  NO_REPLY,
  SEASONS,
  WEEKDAYS,
  type ColumnKind,
  type ReviewColumns,
} from './review-columns.ts';

/** A group with what its sentiments are about and its newest reviews, if they may be quoted. */
export interface CountedGroup {
  group: ReviewGroup;
  about: About;
  newest: number[];
}
export interface GroupCounts {
  total: number;
  groups: CountedGroup[];
  /** Number of groups beyond the most that a response has. */
  omitted: number;
}

export interface ValueCount {
  value: string;
  count: number;
}

/** Everything that the values of reviews are counted by. */
export type Counted = ColumnKind | 'sentiment';

/** Two groupings with many values would make a response as large as the dataset. */
const MAX_GROUPS = 1000;
/** Reviews that are counted between two pauses. */
const PIECE = 32_768;
/** Newest reviews of a group that may be quoted. */
const MOST_NEWEST = 20;

/** Values in an order of their own; periods have that of time, and all others go by their number of reviews. */
const ORDERED: Partial<Record<Counted, readonly string[]>> = {
  rating: ['5', '4', '3', '2', '1'],
  sentiment: SENTIMENTS,
  replied: ['true', 'false'],
  worded: ['true', 'false'],
  season: SEASONS,
  weekday: WEEKDAYS,
};
const PERIODS = new Set<Counted>(['year', 'quarter', 'month']);

function orderOf(name: Counted): (a: ValueCount, b: ValueCount) => number {
  const values = ORDERED[name];
  if (values) return (a, b) => values.indexOf(a.value) - values.indexOf(b.value);
  const byValue = (a: ValueCount, b: ValueCount) => (a.value < b.value ? -1 : 1);
  if (PERIODS.has(name)) return byValue;
  return (a, b) => b.count - a.count || byValue(a, b);
}

/** Counts reviews, given by their positions, by the values of a kind. */
export function countByValue(
  columns: ReviewColumns,
  reviews: readonly number[],
  name: Counted,
  about?: About,
): ValueCount[] {
  const counts =
    name === 'sentiment'
      ? countSentiments(sidesOf(columns, about), reviews)
      : countIds(columns.values[name], reviews);
  return counts.filter(({ count }) => count > 0).sort(orderOf(name));
}

function countIds({ values, starts, ids }: Column, reviews: readonly number[]): ValueCount[] {
  const counts = new Uint32Array(values.length);
  for (const review of reviews) {
    for (let at = starts[review]!; at < starts[review + 1]!; at++) counts[ids[at]!]!++;
  }
  return values.map((value, id) => ({ value, count: counts[id]! }));
}

function countSentiments(sides: Uint8Array, reviews: readonly number[]): ValueCount[] {
  const counts = new Uint32Array(1 << SENTIMENTS.length);
  for (const review of reviews) counts[sides[review]!]!++;
  return SENTIMENTS.map((value) => {
    const having = counts.filter((_, bits) => (bits & bitOf(value)) !== 0);
    return { value, count: having.reduce((sum, count) => sum + count, 0) };
  });
}

/**
 * Counts reviews, given by their positions and newest first, by none, one or two groupings.
 *
 * @param quoted number of groups whose newest reviews are wanted
 */
export function* countGroups(
  columns: ReviewColumns,
  reviews: readonly number[],
  groupBy: readonly GroupName[],
  asked: About,
  quoted: number,
): Pieces<GroupCounts> {
  const cells = new Cells(columns, groupBy, asked);
  const tallies = yield* tally(columns, reviews, cells);
  const [first = 'all', second = 'all'] = groupBy;
  const places = new Map(
    countByValue(columns, reviews, first, asked).map(({ value }, at) => [value, at]),
  );
  const inSecond = orderOf(second);
  const found: (ValueCount & { cell: number; values: string[]; place: number })[] = [];
  for (let cell = 0; cell < cells.size; cell++) {
    const count = tallies.n[cell]!;
    if (count === 0) continue;
    const values = cells.valuesOf(cell);
    const [own = 'all', value = own] = values;
    found.push({ cell, values, value, count, place: places.get(own)! });
  }
  found.sort((a, b) => a.place - b.place || inSecond(a, b));
  const omitted = found.splice(MAX_GROUPS).length;
  yield;
  const newest = newestOf(found.slice(0, quoted), reviews, cells);
  const subject = subjectOf(groupBy, asked);
  const groups = found.map(({ cell, values, count: n }, at) => {
    const about = subject && { kind: subject, ids: [values[groupBy.indexOf(subject)]!] };
    const group = {
      key: values.length === 2 ? values : (values[0] ?? 'all'),
      n,
      average_rating: meanOrNull(tallies.stars[cell]!, n)!,
      positive_pct: percentageOrNull(tallies.positive[cell]!, n)!,
      negative_pct: percentageOrNull(tallies.negative[cell]!, n)!,
      reply_pct: percentageOrNull(tallies.replied[cell]!, n)!,
      median_reply_days: tallies.medianDays.get(cell) ?? null,
    };
    return { group, about: about ?? asked, newest: newest[at] ?? [] };
  });
  return { total: reviews.length, groups, omitted };
}

/** Adds up the reviews of each cell. */
function* tally(
  { stars: starsOf, replyDays, byReplyDays }: ReviewColumns,
  reviews: readonly number[],
  cells: Cells,
) {
  const sums = () => new Uint32Array(cells.size);
  const [n, stars, positive, negative] = [sums(), sums(), sums(), sums()];
  const [replied, dated, seen] = [sums(), sums(), sums()];
  const [isPositive, isNegative] = [bitOf('positive'), bitOf('negative')];
  const isCounted = new Uint8Array(starsOf.length);
  const count = (cell: number, review: number, sides: number): void => {
    isCounted[review] = 1;
    n[cell]!++;
    stars[cell]! += starsOf[review]!;
    if ((sides & isPositive) !== 0) positive[cell]!++;
    if ((sides & isNegative) !== 0) negative[cell]!++;
    const days = replyDays[review]!;
    if (days !== NO_REPLY) replied[cell]!++;
    if (days >= 0) dated[cell]!++;
  };
  for (let from = 0; from < reviews.length; from += PIECE) {
    cells.each(reviews.slice(from, from + PIECE), count);
    yield;
  }
  /** Days in which half of the dated replies came; undefined without any. */
  const medianDays = new Map<number, number>();
  cells.each(byReplyDays, (cell, review) => {
    if (isCounted[review] === 0) return;
    if (seen[cell]!++ === (dated[cell]! - 1) >>> 1) medianDays.set(cell, replyDays[review]!);
  });
  yield;
  return { n, stars, positive, negative, replied, medianDays };
}

/** Returns the newest reviews of some cells. @param reviews newest first */
function newestOf(
  wanted: readonly { cell: number }[],
  reviews: readonly number[],
  cells: Cells,
): number[][] {
  const newest = wanted.map((): number[] => []);
  if (wanted.length === 0) return newest;
  const placeOf = new Uint32Array(cells.size).fill(wanted.length);
  for (const [at, { cell }] of wanted.entries()) placeOf[cell] = at;
  cells.each(reviews, (cell, review) => {
    const place = placeOf[cell]!;
    if (place < wanted.length && newest[place]!.length < MOST_NEWEST) newest[place]!.push(review);
  });
  return newest;
}
