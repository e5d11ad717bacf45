import { SENTIMENTS } from '../schema/groups.ts';
import type { Sentiment } from '../schema/insights.ts';
import { opinion, type LabelKind, type ReviewColumns } from './review-columns.ts';

/** The subjects that sentiments are about, or what reviews say of a word; undefined: the reviews. */
export type About =
  | { kind: 'opinion' | 'judgment'; ids: readonly string[] }
  | { kind: 'word'; said: ReadonlyMap<number, readonly Sentiment[]> }
  | undefined;

/** Returns the subjects of sentiments: people before aspects, so that no other blame falls on them. */
export function aboutOf(
  people: readonly string[] | undefined,
  aspects: readonly string[] | undefined,
): About {
  if (people) return { kind: 'judgment', ids: people };
  return aspects && { kind: 'opinion', ids: aspects };
}

/** Returns a test for reviews with a sentiment about any of the subjects, or with it overall. */
export function feels(
  { values }: ReviewColumns,
  sentiment: Sentiment,
  about: About,
): (position: number) => boolean {
  if (!about) return (position) => values.sentiment[position]![0] === sentiment;
  if (about.kind === 'word') {
    return (position) => about.said.get(position)?.includes(sentiment) === true;
  }
  return hasAny(
    values[about.kind],
    about.ids.map((id) => opinion({ id, sentiment })),
  );
}

/** Returns a test for reviews with any of some values, from the values of each. */
export function hasAny(
  lists: readonly (readonly string[])[],
  wanted: readonly string[],
): (position: number) => boolean {
  return (position) => lists[position]!.some((value) => wanted.includes(value));
}

/** Returns the values of reviews in a grouping; sentiments are those about the subjects. */
export function valuesOf(
  columns: ReviewColumns,
  name: LabelKind,
  about: About,
): (position: number) => readonly string[] {
  const lists = columns.values[name];
  if (name !== 'sentiment' || !about) return (position) => lists[position]!;
  const tests = SENTIMENTS.map(
    (sentiment) => [sentiment, feels(columns, sentiment, about)] as const,
  );
  return (position) => tests.flatMap(([sentiment, isFelt]) => (isFelt(position) ? sentiment : []));
}
