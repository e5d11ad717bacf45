import type { ReviewGroup } from '../schema/count.ts';
import { meanOrNull, percentageOrNull } from '../dataset/round.ts';
import { SENTIMENTS, type GroupName } from '../schema/groups.ts';
import { aboutOf, feels, valuesOf, type About } from './about.ts';
import type { Pieces } from './pieces.ts';
import { SEASONS, WEEKDAYS, type LabelKind, type ReviewColumns } from './review-columns.ts';

export type CountedGroup = ReturnType<typeof counted>;
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

/** Reviews that are counted between two pauses. */
const PIECE = 4_096;
/** Two groupings with many values would make a response as large as the dataset. */
const MAX_GROUPS = 1000;

/** Values in an order of their own; periods have that of time, and all others go by their number of reviews. */
const ORDERED: Partial<Record<LabelKind, readonly string[]>> = {
  rating: ['5', '4', '3', '2', '1'],
  sentiment: SENTIMENTS,
  replied: ['true', 'false'],
  worded: ['true', 'false'],
  season: SEASONS,
  weekday: WEEKDAYS,
};
const PERIODS = new Set<LabelKind>(['year', 'quarter', 'month']);

/** Counts reviews, given by their positions, by the values of a kind. */
export function* countByValue(
  columns: ReviewColumns,
  reviews: readonly number[],
  name: LabelKind,
  about?: About,
): Pieces<ValueCount[]> {
  const parts = yield* split(columns, reviews, name, about);
  return parts.map(({ value, members }) => ({ value, count: members.length }));
}

/** Counts reviews, given by their positions, by none, one or two groupings. */
export function* countGroups(
  columns: ReviewColumns,
  reviews: readonly number[],
  groupBy: readonly GroupName[],
  about: About,
): Pieces<GroupCounts> {
  const all = yield* groupsOf(columns, reviews, groupBy, about);
  const groups = all.filter(({ members }) => members.length > 0);
  const omitted = groups.splice(MAX_GROUPS).length;
  const results: CountedGroup[] = [];
  for (const group of groups) {
    results.push(counted(columns, group));
    yield;
  }
  return {
    total: reviews.length,
    groups: results,
    omitted,
  };
}

interface Group {
  values: readonly string[];
  /** Positions of its reviews, newest first. */
  members: readonly number[];
  /** The aspects or people that its sentiments are about. */
  about: About;
}

function* groupsOf(
  columns: ReviewColumns,
  reviews: readonly number[],
  [first, second]: readonly GroupName[],
  asked: About,
): Pieces<Group[]> {
  if (!first) return [{ values: [], members: reviews, about: asked }];
  if (first === 'sentiment' && second) {
    // Sentiments may be about the other value, which has to be known before.
    const groups = yield* groupsOf(columns, reviews, [second, first], asked);
    return SENTIMENTS.flatMap((sentiment) => {
      const having = groups.filter(({ values }) => values[1] === sentiment);
      const parts = having.map((group) => ({ ...group, value: group.values[0]! }));
      return parts
        .sort(orderOf(second))
        .map(({ value, members, about }) => ({ values: [sentiment, value], members, about }));
    });
  }
  const groups: Group[] = [];
  for (const { value, members } of yield* split(columns, reviews, first, asked)) {
    const about = aboutValue(first, value, asked);
    if (!second) groups.push({ values: [value], members, about });
    else {
      for (const part of yield* split(columns, members, second, about)) {
        const values = [value, part.value];
        groups.push({
          values,
          members: part.members,
          about: aboutValue(second, part.value, about),
        });
      }
    }
  }
  return groups;
}

/** Reviews that have a value, newest first. */
interface Part {
  value: string;
  members: readonly number[];
}

/** Splits reviews by the values of a grouping, in their order. */
function* split(
  columns: ReviewColumns,
  reviews: readonly number[],
  name: LabelKind,
  about: About,
): Pieces<Part[]> {
  const valuesAt = valuesOf(columns, name, about);
  const parts = new Map<string, number[]>();
  let counted = 0;
  for (const review of reviews) {
    if (++counted % PIECE === 0) yield;
    for (const value of valuesAt(review)) {
      const members = parts.get(value);
      if (members) members.push(review);
      else parts.set(value, [review]);
    }
  }
  return Array.from(parts, ([value, members]) => ({ value, members })).sort(orderOf(name));
}

function orderOf(name: LabelKind): (a: Part, b: Part) => number {
  const values = ORDERED[name];
  if (values) return (a, b) => values.indexOf(a.value) - values.indexOf(b.value);
  const byValue = (a: Part, b: Part) => (a.value < b.value ? -1 : 1);
  if (PERIODS.has(name)) return byValue;
  return (a, b) => b.members.length - a.members.length || byValue(a, b);
}

/** Returns what the sentiments of a group are about: its person, else those asked for, else its aspect. */
function aboutValue(name: GroupName, value: string, asked: About): About {
  if (name === 'technician') return aboutOf([value], undefined);
  return name === 'aspect' && asked?.kind !== 'judgment' ? aboutOf(undefined, [value]) : asked;
}

function counted(columns: ReviewColumns, { values, members, about }: Group) {
  const n = members.length;
  const isPositive = feels(columns, 'positive', about);
  const isNegative = feels(columns, 'negative', about);
  let [stars, positive, negative, replied] = [0, 0, 0, 0];
  const replyDays: number[] = [];
  for (const position of members) {
    stars += columns.stars[position]!;
    if (isPositive(position)) positive++;
    if (isNegative(position)) negative++;
    if (columns.values.replied[position]![0] === 'true') replied++;
    const days = columns.replyDays[position]!;
    if (days !== null) replyDays.push(days);
  }
  const days = Int32Array.from(replyDays).sort();
  const group: ReviewGroup = {
    key: values.length === 2 ? [...values] : (values[0] ?? 'all'),
    n,
    average_rating: meanOrNull(stars, n)!,
    positive_pct: percentageOrNull(positive, n)!,
    negative_pct: percentageOrNull(negative, n)!,
    reply_pct: percentageOrNull(replied, n)!,
    median_reply_days: days[(days.length - 1) >>> 1] ?? null,
  };
  return { group, about, members };
}
