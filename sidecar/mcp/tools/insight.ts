import { z } from 'zod';
import type { InsightsDataset } from '../../../src/schema/insights.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from '../../../src/search/filter-names.ts';
import { briefReviews } from '../../../src/search/machine-readers.ts';
import type { Edition } from '../../edition/edition.ts';
import { entriesOf, type Entry } from '../entries.ts';
import {
  defineTool,
  nameArgument,
  reviewInPart,
  ToolError,
  unknownText,
  withReviews,
  wordCount,
} from './tool.ts';

/** Kinds of insights, in the order in which a name is looked for. */
const KINDS = ['aspect', 'technician', 'service', 'topic', 'problem', 'area'] as const;

/** Newest reviews of an insight in an answer, unless it has examples of its own. */
const RECENT = 5;
const MAX_OTHERS = 5;

const inBrief = z.strictObject({ kind: z.enum(KINDS), id: z.string(), label: z.string() });

export const getInsight = defineTool({
  title: 'One subject of reviews',
  description:
    'Use this when a question is about one thing that reviews speak of, by any name: an aspect (price, punctuality), a {staff}, a {service}, a topic, problem or area. ' +
    'How many reviews, how they lean (score from -1 to 1; null: none), quotes or phrases, and reviews that name it. ' +
    'words counts the reviews with the name itself. Not for other groups or filters: count_reviews.',
  input: z.strictObject({
    name: nameArgument.describe('Id or any name, e.g. "punctuality" or "on time".'),
    kind: z
      .enum(KINDS, `must be one of ${KINDS.join(', ')}`)
      .optional()
      .describe('Where a name means several, e.g. "topic".'),
  }),
  output: z.strictObject({
    kind: z.enum(KINDS),
    insight: z.looseObject({ id: z.string(), label: z.string() }),
    words: z.record(z.string(), z.int()),
    others: z.array(inBrief).optional(),
    reviews: z.array(reviewInPart),
  }),
  answer({ name, kind }, edition) {
    const { search } = edition;
    const kinds = kind ? [kind] : KINDS;
    const [first, ...others] = entriesNamed(name, kinds, edition);
    if (!first) throw unknownInsight(name, kinds, edition);
    const { example_review_ids: examples, ...insight } = first.value as Partial<
      InsightsDataset['topics'][number]
    >;
    const filter = (Object.keys(NAME_FILTERS) as NameFilter[]).find(
      (each) => NAME_FILTERS[each] === first.kind,
    )!;
    const positions =
      examples?.map((id) => edition.ids.positionOf(id)!) ??
      search.search({ [filter]: first.id, limit: RECENT }).positions;
    const answer = {
      kind: first.kind,
      insight,
      words: { [name]: wordCount(name, edition) },
      ...(others.length > 0 && {
        others: others.slice(0, MAX_OTHERS).map(({ kind, id, label }) => ({ kind, id, label })),
      }),
    };
    const reviews = briefReviews(search.lines, positions);
    return withReviews(answer, search.lines, positions, reviews);
  },
});

/** Finds the entries that a name means, then those of which it names a part. */
function entriesNamed(
  name: string,
  kinds: readonly (NamedKind & Entry['kind'])[],
  { search, insights }: Edition,
): Entry[] {
  const having = (idsOf: 'resolve' | 'widerThan') =>
    kinds.flatMap((kind) => {
      const ids = search.names.kinds[kind][idsOf](name);
      return entriesOf(kind, insights).filter(({ id }) => ids.includes(id));
    });
  return [...having('resolve'), ...having('widerThan').sort((a, b) => b.reviews - a.reviews)];
}

function unknownInsight(name: string, kinds: readonly NamedKind[], edition: Edition): ToolError {
  const { kinds: known } = edition.search.names;
  return new ToolError({
    error: 'unknown_insight',
    message: unknownText('insight', name, edition),
    suggestions: kinds.flatMap((kind) => known[kind].suggest(name)).slice(0, MAX_OTHERS),
  });
}
