import type { ReviewGroup } from '../schema/count.ts';
import { meanOrNull, percentageOrNull } from '../base/round.ts';
import { SENTIMENTS, type GroupName } from '../schema/groups.ts';
import {
  sidesOf,
  bitOf,
  NO_REPLY,
  SEASONS,
  WEEKDAYS,
  type About,
  type Column,
  type ColumnKind,
  type ReviewColumns,
} from './review-columns.ts';
import { Cells, subjectOf, type Placed } from './cells.ts';
import type { Pieces } from './pieces.ts';

/** A group with what its sentiments are about and its newest reviews, if they may be quoted. */
export interface CountedGroup {
  group: ReviewGroup;
  about: About;
  newest: number[];
}
export interface GroupCounts {
  total: number;
  groups: CountedGroup[];
  /** Number of groups that the response leaves out. */
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
/** Newest reviews of a group that may be quoted. */
const MAX_NEWEST = 20;

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
  const placed = yield* cells.place(reviews);
  const tallies = tally(columns, placed, cells.size);
  yield;
  const [first = 'all', second] = groupBy;
  // The order of the first of two groupings; of one alone it is that of its cells.
  const rows = second ? countByValue(columns, reviews, first, asked) : [];
  const places = new Map(rows.map(({ value }, at) => [value, at]));
  const found: (ValueCount & { cell: number; values: string[]; place: number })[] = [];
  for (let cell = 0; cell < cells.size; cell++) {
    const count = tallies.n[cell]!;
    if (count === 0) continue;
    const values = cells.valuesOf(cell);
    const [own = 'all', value = own] = values;
    found.push({ cell, values, value, count, place: places.get(own) ?? 0 });
  }
  const inOrder = orderOf(second ?? first);
  found.sort((a, b) => a.place - b.place || inOrder(a, b));
  const omitted = found.splice(MAX_GROUPS).length;
  yield;
  const newest = newestOf(found.slice(0, quoted), placed, cells.size);
  const medians = medianDays(found, columns.replyDays, placed, tallies.dated);
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
      median_reply_days: medians[at]!,
    };
    return { group, about: about ?? asked, newest: newest[at] ?? [] };
  });
  return { total: reviews.length, groups, omitted };
}

/** Adds up the reviews of each cell. `dated` counts the replies whose day is known. */
function tally(
  { stars: starsOf, replyDays }: ReviewColumns,
  { cells, reviews, sides }: Placed,
  size: number,
) {
  const sums = () => new Uint32Array(size);
  const [n, stars, positive, negative] = [sums(), sums(), sums(), sums()];
  const [replied, dated] = [sums(), sums()];
  const [isPositive, isNegative] = [bitOf('positive'), bitOf('negative')];
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!;
    const review = reviews[at]!;
    n[cell]!++;
    stars[cell]! += starsOf[review]!;
    if ((sides[at]! & isPositive) !== 0) positive[cell]!++;
    if ((sides[at]! & isNegative) !== 0) negative[cell]!++;
    const days = replyDays[review]!;
    if (days !== NO_REPLY) replied[cell]!++;
    if (days >= 0) dated[cell]!++;
  }
  return { n, stars, positive, negative, replied, dated };
}

/** Returns, for each of some cells, the days in which half of its dated replies came; null without any. */
function medianDays(
  wanted: readonly { cell: number }[],
  replyDays: Int32Array,
  { cells, reviews }: Placed,
  dated: Uint32Array,
): (number | null)[] {
  // The days of each cell, one cell after the other.
  const ends = new Uint32Array(dated.length + 1);
  for (let cell = 0; cell < dated.length; cell++) ends[cell + 1] = ends[cell]! + dated[cell]!;
  const all = new Uint32Array(ends[dated.length]!);
  let longest = 0;
  for (let at = 0; at < cells.length; at++) {
    const days = replyDays[reviews[at]!]!;
    if (days < 0) continue;
    all[ends[cells[at]!]!++] = days;
    if (days > longest) longest = days;
  }
  const counts = new Uint32Array(longest + 1);
  return wanted.map(({ cell }) => {
    const own = all.subarray(ends[cell]! - dated[cell]!, ends[cell]);
    for (let at = 0; at < own.length; at++) counts[own[at]!]!++;
    let left = (own.length - 1) >>> 1;
    let median = 0;
    while (own.length > 0 && left >= counts[median]!) left -= counts[median++]!;
    for (let at = 0; at < own.length; at++) counts[own[at]!] = 0;
    return own.length === 0 ? null : median;
  });
}

/** Returns the newest reviews of some cells. @param placed newest first */
function newestOf(
  wanted: readonly { cell: number }[],
  { cells, reviews }: Placed,
  size: number,
): number[][] {
  const newest = wanted.map((): number[] => []);
  if (wanted.length === 0) return newest;
  const placeOf = new Uint32Array(size).fill(wanted.length);
  for (const [at, { cell }] of wanted.entries()) placeOf[cell] = at;
  for (let at = 0; at < cells.length; at++) {
    const own = newest[placeOf[cells[at]!]!];
    if (own && own.length < MAX_NEWEST) own.push(reviews[at]!);
  }
  return newest;
}
