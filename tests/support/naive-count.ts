import type { CountFilters } from '../../src/schema/count.ts';
import type { GroupName } from '../../src/schema/groups.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';
import {
  idsOf,
  labelledIdsOf,
  naiveJudgments,
  naiveMatches,
  naiveMentions,
  narrowWord,
  type NarrowWord,
  type Published,
} from './naive-search.ts';

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** A group by its values, without quotes. */
export interface NaiveGroup {
  values: string[];
  n: number;
  average_rating: number;
  positive_pct: number;
  negative_pct: number;
  reply_pct: number;
  median_reply_days: number | null;
}

/** Counts reviews by looking at each of them; groups are sorted by their values. */
export function naiveCount(
  published: Published,
  filters: CountFilters,
): { total: number; groups: NaiveGroup[] } {
  const matches = naiveMatches(published, filters);
  const asked: About = {
    people: idsOf(published.names.technicians, filters.mentions_technician),
    aspects: labelledIdsOf(published.names.aspects, filters.aspect),
    word: narrowWord(published.names.aspects, filters.aspect),
  };
  const members = new Map<string, { review: Review; sentiments: string[] }[]>();
  for (const review of matches) {
    const labels = published.perReview?.[review.id];
    const groupBy = filters.group_by ?? [];
    for (const values of keysOf(groupBy, review, labels, asked)) {
      const sentiments = sentimentsOf(review, labels, aboutOf(groupBy, values, asked));
      const key = JSON.stringify(values);
      const group = members.get(key) ?? [];
      members.set(key, group);
      group.push({ review, sentiments });
    }
  }
  const groups = [...members].map(([key, group]) => {
    const share = (is: (member: (typeof group)[number]) => boolean) =>
      rounded((100 * group.filter(is).length) / group.length, 1);
    const stars = group.reduce((sum, { review }) => sum + review.rating, 0);
    return {
      values: JSON.parse(key) as string[],
      n: group.length,
      average_rating: rounded(stars / group.length, 2),
      positive_pct: share(({ sentiments }) => sentiments.includes('positive')),
      negative_pct: share(({ sentiments }) => sentiments.includes('negative')),
      reply_pct: share(({ review }) => review.owner_reply !== null),
      median_reply_days: medianReply(group.map(({ review }) => review)),
    };
  });
  return { total: matches.length, groups: groups.sort(byValues) };
}

export function byValues(a: Pick<NaiveGroup, 'values'>, b: Pick<NaiveGroup, 'values'>): number {
  return a.values.join('\n') < b.values.join('\n') ? -1 : 1;
}

function medianReply(reviews: readonly Review[]): number | null {
  const days = reviews
    .flatMap(({ date, owner_reply: reply }) =>
      reply?.date ? Math.max(0, (Date.parse(reply.date) - Date.parse(date)) / 86_400_000) : [],
    )
    .sort((a, b) => a - b);
  return days[Math.ceil(days.length / 2) - 1] ?? null;
}

/** Returns every combination of values that a review counts for. */
function keysOf(
  groupBy: readonly GroupName[],
  review: Review,
  labels: PerReview | undefined,
  asked: About,
): string[][] {
  if (groupBy.length === 0) return [[]];
  const of = (name: GroupName, about: About) => valuesOf(name, review, labels, about);
  const [first, second] = groupBy as [GroupName, GroupName | undefined];
  if (second === undefined) return of(first, aboutOf([first], [], asked)).map((value) => [value]);
  // Sentiments are about the person or the aspect of the other grouping.
  if (first === 'sentiment') {
    return of(second, asked).flatMap((value) =>
      of(first, aboutOf([second], [value], asked)).map((feeling) => [feeling, value]),
    );
  }
  return of(first, asked).flatMap((value) =>
    of(second, aboutOf([first], [value], asked)).map((other) => [value, other]),
  );
}

/** The people or aspects that sentiments are about. */
interface About {
  people: ReadonlySet<string> | undefined;
  aspects: ReadonlySet<string> | undefined;
  /** A word for a part of an aspect, in place of aspects. */
  word?: NarrowWord | undefined;
}

function aboutOf(groupBy: readonly GroupName[], values: readonly string[], asked: About): About {
  const person = values[groupBy.indexOf('technician')];
  if (person !== undefined) return { people: new Set([person]), aspects: undefined };
  const aspect = values[groupBy.indexOf('aspect')];
  return aspect === undefined || asked.people
    ? asked
    : { people: undefined, aspects: new Set([aspect]) };
}

function valuesOf(
  name: GroupName,
  review: Review,
  labels: PerReview | undefined,
  about: About,
): string[] {
  const { date } = review;
  const month = Number(date.slice(5, 7));
  const day = new Date(`${date}T00:00:00Z`);
  const values: Record<GroupName, () => string[]> = {
    year: () => [date.slice(0, 4)],
    quarter: () => [`${date.slice(0, 4)}-Q${1 + Math.floor((month - 1) / 3)}`],
    month: () => [date.slice(0, 7)],
    season: () => [SEASON_OF_MONTH[month - 1]!],
    weekday: () => [WEEKDAY.format(day).toLowerCase()],
    rating: () => [String(review.rating)],
    aspect: () => labels?.aspects.map(({ id }) => id) ?? [],
    sentiment: () => [...new Set(sentimentsOf(review, labels, about))],
    technician: () => review.mentions.technicians,
    service: () => review.mentions.services,
    problem: () => labels?.problems ?? [],
    area: () => labels?.service_areas ?? [],
    topic: () => labels?.topics ?? [],
    attribute: () => Object.entries(review.attributes ?? {}).map((each) => each.join(': ')),
    source: () => [review.source],
    language: () => ((review.text ?? review.title) === null ? [] : [review.language]),
    replied: () => [String(review.owner_reply !== null)],
  };
  return values[name]();
}

const SEASON_OF_MONTH =
  'winter winter spring spring spring summer summer summer autumn autumn autumn winter'.split(' ');

/** The sentiment of the review, or those about people or aspects. */
function sentimentsOf(
  review: Review,
  labels: PerReview | undefined,
  { people, aspects, word }: About,
): string[] {
  if (!labels) return [];
  if (people) return naiveJudgments(review, labels, people);
  if (word) return naiveMentions(labels, word);
  if (!aspects) return [labels.sentiment];
  return labels.aspects.filter(({ id }) => aspects.has(id)).map(({ sentiment }) => sentiment);
}

/** Rounds half up; a sum of binary fractions may lie a little below the half. */
function rounded(value: number, decimals: number): number {
  return Math.round((value + 1e-9) * 10 ** decimals) / 10 ** decimals;
}
