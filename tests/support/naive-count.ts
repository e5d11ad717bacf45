import type { CountFilters } from '../../src/schema/count.ts';
import type { GroupName } from '../../src/schema/groups.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { Review } from '../../src/schema/review.ts';
import { idsOf, naiveMatches, type Published } from './naive-search.ts';

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** A group by its values, without quotes. */
export interface NaiveGroup {
  values: string[];
  n: number;
  average_rating: number;
  positive_pct: number;
  negative_pct: number;
  reply_pct: number;
}

/** Counts reviews by looking at each of them; groups are sorted by their values. */
export function naiveCount(
  published: Published,
  filters: CountFilters,
): { total: number; groups: NaiveGroup[] } {
  const matches = naiveMatches(published, filters);
  const aspects = idsOf(published.names.aspects, filters.aspect);
  const members = new Map<string, { review: Review; sentiments: string[] }[]>();
  for (const review of matches) {
    const labels = published.perReview?.[review.id];
    for (const values of keysOf(filters.group_by ?? [], review, labels, aspects)) {
      const aspect = values[(filters.group_by ?? []).indexOf('aspect')];
      const sentiments = sentimentsOf(labels, aspect === undefined ? aspects : new Set([aspect]));
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
    };
  });
  return { total: matches.length, groups: groups.sort(byValues) };
}

export function byValues(a: Pick<NaiveGroup, 'values'>, b: Pick<NaiveGroup, 'values'>): number {
  return a.values.join('\n') < b.values.join('\n') ? -1 : 1;
}

/** Returns every combination of values that a review counts for. */
function keysOf(
  groupBy: readonly GroupName[],
  review: Review,
  labels: PerReview | undefined,
  aspects: ReadonlySet<string> | undefined,
): string[][] {
  let keys: string[][] = [[]];
  // The aspect first: sentiments are about it.
  const order = [...groupBy].sort((a, b) => Number(b === 'aspect') - Number(a === 'aspect'));
  for (const name of order) {
    keys = keys.flatMap((key) => {
      const about = order[0] === 'aspect' && key[0] !== undefined ? new Set([key[0]]) : aspects;
      return valuesOf(name, review, labels, about).map((value) => [...key, value]);
    });
  }
  return groupBy[1] === 'aspect' ? keys.map((key) => key.toReversed()) : keys;
}

function valuesOf(
  name: GroupName,
  review: Review,
  labels: PerReview | undefined,
  aspects: ReadonlySet<string> | undefined,
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
    sentiment: () => [...new Set(sentimentsOf(labels, aspects))],
    technician: () => review.mentions.technicians,
    service: () => review.mentions.services,
    problem: () => labels?.problems ?? [],
    area: () => labels?.service_areas ?? [],
    topic: () => labels?.topics ?? [],
    source: () => [review.source],
    language: () => [review.language],
    replied: () => [String(review.owner_reply !== null)],
  };
  return values[name]();
}

const SEASON_OF_MONTH =
  'winter winter spring spring spring summer summer summer autumn autumn autumn winter'.split(' ');

/** The sentiment of the review, or those about aspects. */
function sentimentsOf(
  labels: PerReview | undefined,
  aspects: ReadonlySet<string> | undefined,
): string[] {
  if (!labels) return [];
  if (!aspects) return [labels.sentiment];
  return labels.aspects.filter(({ id }) => aspects.has(id)).map(({ sentiment }) => sentiment);
}

/** Rounds half up; a sum of binary fractions may lie a little below the half. */
function rounded(value: number, decimals: number): number {
  return Math.round((value + 1e-9) * 10 ** decimals) / 10 ** decimals;
}
