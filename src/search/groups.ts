import type { ReviewGroup } from '../schema/count.ts';
import type { GroupName } from '../schema/groups.ts';
import { meanOrNull, percentageOrNull } from '../dataset/round.ts';
import { sentiment as sentiments, type Sentiment } from '../schema/insights.ts';
import {
  countBits,
  countCommon,
  createBitset,
  firstBits,
  intersection,
  keepRange,
  union,
  type Bitset,
  tally,
  type Measures,
  type Span,
  type Tally,
} from './bitset.ts';
import {
  aboutOf,
  feeling,
  type About,
  type Part,
  type Periods,
  type ReviewSets,
  type SetKind,
} from './review-sets.ts';

export interface CountedGroup {
  group: ReviewGroup;
  /** The aspects or people that its sentiments are about. */
  about: About;
  /** Returns positions of its newest reviews. */
  newest: (most: number) => number[];
}

export interface GroupCounts {
  total: number;
  groups: CountedGroup[];
  /** Number of groups beyond the most that a response has. */
  omitted: number;
}

/** Two groupings with many values would make a response as large as the dataset. */
const MAX_GROUPS = 1000;

/** Values that have an order; all others go by their number of reviews. */
const ORDERED: Partial<Record<GroupName, readonly string[]>> = {
  rating: ['5', '4', '3', '2', '1'],
  sentiment: sentiments.options,
  replied: ['true', 'false'],
};

/** Counts reviews by group. */
export class Groups {
  readonly #sets: ReviewSets;
  readonly #periods: Periods;
  readonly #count: number;
  readonly #measures: Pick<Measures, 'stars' | 'replied'>;
  readonly #replyDays: Int32Array;
  readonly #none: Bitset;

  /** @param replyDays days until the reply of each review; -1 without one or its day */
  constructor(sets: ReviewSets, periods: Periods, replyDays: Int32Array) {
    const count = replyDays.length;
    this.#replyDays = replyDays;
    this.#sets = sets;
    this.#periods = periods;
    this.#count = count;
    this.#none = createBitset(count);
    const starsWith = (bit: number): Bitset =>
      union(
        [...sets.rating].flatMap(([stars, set]) => (Number(stars) & bit ? [set] : [])),
        count,
      );
    this.#measures = {
      stars: [starsWith(1), starsWith(2), starsWith(4)],
      replied: sets.replied.get('true') ?? this.#none,
    };
  }

  /**
   * Counts the matches by each of some groupings.
   *
   * @param about what sentiments are about
   */
  facets(found: Bitset, names: readonly GroupName[], about?: About) {
    const counts = names.map((name) => {
      const values = this.#parts(name).map((part) => {
        const set = this.#setOf(part, name, about);
        const isWhole = part.from === 0 && part.to === this.#count;
        const count = isWhole ? countCommon(found, set) : this.#tally([found, set], part, about).n;
        return { value: part.value, count };
      });
      const matched = values.filter(({ count }) => count > 0);
      return [name, this.#isOrdered(name) ? matched : matched.sort(bySize)];
    });
    return Object.fromEntries(counts) as Partial<
      Record<GroupName, { value: string; count: number }[]>
    >;
  }

  /** Counts the matches by none, one or two groupings. */
  count(found: Bitset, groupBy: readonly GroupName[], about?: About): GroupCounts {
    const single = groupBy.length === 1 && !this.#isOrdered(groupBy[0]!);
    const lists = groupBy.map((name) =>
      single ? this.#parts(name) : this.#partsInOrder(found, name),
    );
    const groups: CountedGroup[] = [];
    let omitted = 0;
    for (const parts of combinations(lists)) {
      const own = aboutParts(groupBy, parts, about);
      const sets = [found, ...parts.map((part, at) => this.#setOf(part, groupBy[at]!, own))];
      const span = {
        from: Math.max(0, ...parts.map(({ from }) => from)),
        to: Math.min(this.#count, ...parts.map(({ to }) => to)),
      };
      const tally = this.#tally(sets, span, own);
      if (tally.n === 0) continue;
      if (groups.length === MAX_GROUPS && !single) omitted++;
      else {
        const replyDays = tally.replied > 0 ? this.#medianReply(sets, span) : null;
        const group = { ...toGroup(parts, tally), median_reply_days: replyDays };
        groups.push({ group, about: own, newest: newestOf(sets, span) });
      }
    }
    // Sorted by their tallies: counting them before would take as long as the tallies do.
    if (single) groups.sort((a, b) => bySize(sizeOf(a), sizeOf(b)));
    const [first, second] = lists;
    if (second && !this.#isOrdered(groupBy[1]!)) sortWithin(groups, first!);
    omitted += groups.splice(MAX_GROUPS).length;
    return { total: countBits(found), groups, omitted };
  }

  /** Returns the days in which half of the replies of some reviews came; null if none is dated. */
  #medianReply([first, ...others]: readonly Bitset[], { from, to }: Span): number | null {
    const replied = intersection(first!, ...others, this.#measures.replied);
    keepRange(replied, from, to);
    const all = firstBits(replied).map((at) => this.#replyDays[at]!);
    const days = Int32Array.from(all.filter((each) => each >= 0)).sort();
    return days[(days.length - 1) >>> 1] ?? null;
  }

  /** Tells whether the values of a grouping have an order of their own. */
  #isOrdered(name: GroupName): boolean {
    return name in ORDERED || this.#periods.by(name) !== undefined;
  }

  /** Returns the parts of a grouping, in its own order if it has one. */
  #parts(name: GroupName): Part[] {
    const periods = this.#periods.by(name);
    if (periods) return periods;
    const sets = this.#sets[name as SetKind];
    return [...(ORDERED[name] ?? sets.keys())].map((value) => ({
      value,
      set: sets.get(value) ?? this.#none,
      from: 0,
      to: this.#count,
    }));
  }

  /** Returns the parts of a grouping in the order of a response. */
  #partsInOrder(found: Bitset, name: GroupName): Part[] {
    const parts = this.#parts(name);
    if (this.#isOrdered(name)) return parts;
    return parts
      .map((part) => ({ part, value: part.value, count: countCommon(found, part.set) }))
      .sort(bySize)
      .map(({ part }) => part);
  }

  #setOf({ value, set }: Part, name: GroupName, about: About): Bitset {
    return name === 'sentiment' ? this.#feeling(value as Sentiment, about) : set;
  }

  #feeling(sentiment: Sentiment, about: About): Bitset {
    const sets = feeling(this.#sets, sentiment, about);
    return sets.length === 1 ? sets[0]! : union(sets, this.#count);
  }

  #tally(sets: readonly Bitset[], span: Span, about: About): Tally {
    return tally(sets, span, {
      ...this.#measures,
      positive: this.#feeling('positive', about),
      negative: this.#feeling('negative', about),
    });
  }
}

/** Returns what the sentiments of a group are about: its person, else those asked for, else its aspect. */
function aboutParts(groupBy: readonly GroupName[], parts: readonly Part[], asked: About): About {
  const valueOf = (name: GroupName) => parts[groupBy.indexOf(name)]?.value;
  const person = valueOf('technician');
  if (person !== undefined) return aboutOf([person], undefined);
  const aspect = valueOf('aspect');
  return aspect === undefined || asked?.kind === 'judgment' ? asked : aboutOf(undefined, [aspect]);
}

/** Returns all choices of one part of each list, the last list changing fastest. */
function* combinations(
  lists: readonly Part[][],
  chosen: readonly Part[] = [],
): Generator<readonly Part[]> {
  const [first, ...others] = lists;
  if (!first) yield chosen;
  else for (const part of first) yield* combinations(others, [...chosen, part]);
}

interface Sized {
  value: string;
  count: number;
}

function bySize(a: Sized, b: Sized): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

/** Sorts groups by their size within each part of the first grouping. */
function sortWithin(groups: CountedGroup[], first: readonly Part[]): void {
  const places = new Map(first.map(({ value }, at) => [value, at]));
  const placeOf = ({ group }: CountedGroup) => places.get(group.key[0]!)!;
  groups.sort((a, b) => placeOf(a) - placeOf(b) || bySize(sizeOf(a), sizeOf(b)));
}

function sizeOf({ group: { key, n } }: CountedGroup): Sized {
  return { value: String(key), count: n };
}

function toGroup(
  parts: readonly Part[],
  { n, stars, positive, negative, replied }: Tally,
): Omit<ReviewGroup, 'median_reply_days'> {
  const values = parts.map(({ value }) => value);
  return {
    key: values.length === 2 ? values : (values[0] ?? 'all'),
    n,
    average_rating: meanOrNull(stars, n)!,
    positive_pct: percentageOrNull(positive, n)!,
    negative_pct: percentageOrNull(negative, n)!,
    reply_pct: percentageOrNull(replied, n)!,
  };
}

function newestOf(
  [first, ...others]: readonly Bitset[],
  { from, to }: Span,
): CountedGroup['newest'] {
  return (most) => {
    const members = intersection(first!, ...others);
    keepRange(members, from, to);
    return firstBits(members, most);
  };
}
