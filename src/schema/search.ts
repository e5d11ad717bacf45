import { z } from 'zod';
import { GROUPS, PLACES } from './groups.ts';
import { sentiment } from './insights.ts';
import { calendarDate, count, stars, ulid } from './primitives.ts';
import { ownerReply, review, type Review } from './review.ts';

/** Limits of the contract, sections 4.5 and 8. */
export const LIMIT = { min: 1, max: 100, default: 20 } as const;
export const QUERY_MAX_LENGTH = 2_000;
const NAME_MAX_LENGTH = 200;

const name = z.string().min(1).max(NAME_MAX_LENGTH);
const minimum = z.number().min(1).max(5);
const text = z.string().min(1).max(QUERY_MAX_LENGTH);

/** Returns a list of different values of an enumeration; HTTP separates them with commas. */
export function listOf<const T extends readonly string[]>(values: T, max = values.length) {
  return z
    .array(z.enum(values))
    .min(1)
    .max(max)
    .refine((given) => new Set(given).size === given.length, 'must not repeat a value');
}

/**
 * The filters of searches and counts, one schema for both interfaces, and one reader: `readArguments`
 * of `src/search`.
 */
export const reviewFilters = z.strictObject({
  rating: stars.optional().describe('Exact number of stars.'),
  min_rating: minimum.optional().describe('Fewest stars, inclusive.'),
  max_rating: minimum.optional().describe('Most stars, inclusive.'),
  since: calendarDate.optional().describe('First day, YYYY-MM-DD.'),
  until: calendarDate.optional().describe('Last day, YYYY-MM-DD.'),
  query: text
    .optional()
    .describe('Substring of the review text in any case, or words, e.g. "on time".'),
  match: z
    .enum(['substring', 'words'])
    .optional()
    .describe(
      'words: every word of query in any form, order and spelling, in text or title; "exact strings", OR, -word; understood says how. Default substring.',
    ),
  in: listOf(PLACES)
    .optional()
    .describe('Where query looks; default text, with match=words also title.'),
  aspect: name
    .optional()
    .describe('Id or name of an aspect it judges, or a word for a part of one, e.g. "price".'),
  sentiment: sentiment
    .optional()
    .describe('About the person or aspect that is named, else of the review.'),
  mentions_technician: name.optional().describe('Id, name or alias, e.g. "Priya".'),
  mentions_service: name.optional().describe('Id or name.'),
  mentions_problem: name.optional().describe('Id or name.'),
  mentions_area: name.optional().describe('Id or name.'),
  topic: name.optional().describe('Id or name.'),
  attribute: name.optional().describe('Value of a kept column, e.g. "Germany".'),
  source: name.optional().describe('Platform, e.g. google.'),
  language: name.optional().describe('BCP 47 tag or name, e.g. "de".'),
  has_reply: z.boolean().optional().describe('The business replied.'),
  has_text: z.boolean().optional().describe('It has words.'),
});
export type ReviewFilters = z.infer<typeof reviewFilters>;

export const SORTS = ['newest', 'oldest', 'highest', 'lowest', 'longest', 'telling'] as const;
export type Sort = (typeof SORTS)[number];

/** Orders whose key is the stars; it is the characters of the text, or how much a review tells. */
const BY_STARS: ReadonlySet<Sort> = new Set(['newest', 'oldest', 'highest', 'lowest']);

/** A place in the order of a search: the sort key, day and id of the last review of a page. */
const place = z
  .tuple([z.enum(SORTS), z.int().min(0), calendarDate, ulid])
  .refine(([sort, key]) => !BY_STARS.has(sort) || stars.safeParse(key).success)
  .transform(([sort, key, date, id]) => ({ sort, key, date, id }));
export type Cursor = z.infer<typeof place>;

/**
 * Returns a cursor as text. It names a review by its sort key, not its position, so it stays valid
 * while reviews are added or removed.
 */
export function writeCursor({ sort, key, date, id }: Cursor): string {
  return btoa(JSON.stringify([sort, key, date, id])).replace(/=+$/, '');
}

/** Reads the text of {@link writeCursor}; undefined for any other text. */
export function readCursor(text: string): Cursor | undefined {
  try {
    return place.parse(JSON.parse(atob(text)));
  } catch {
    return undefined; // not base64, not JSON, or not a place
  }
}

/** The `next` of an earlier response. */
export const cursor = z
  .string()
  .max(200)
  .refine((text) => readCursor(text) !== undefined, 'must be the next of an earlier response');

export const searchFilters = reviewFilters
  .extend({
    sort: z.enum(SORTS).optional().describe('Order; default newest.'),
    cursor: cursor.optional().describe('next of the previous page, with the same filters.'),
    detail: z
      .enum(['full', 'brief'])
      .optional()
      .describe('brief: people’s words and what a citation needs; default full.'),
    facets: listOf(GROUPS).optional().describe('Also count the matches by these.'),
    limit: z
      .int()
      .min(LIMIT.min)
      .max(LIMIT.max)
      .default(LIMIT.default)
      .describe(`Most reviews in a response; default ${LIMIT.default}.`),
  })
  .superRefine(({ cursor, sort }, context) => {
    if (cursor === undefined || sort === undefined || readCursor(cursor)?.sort === sort) return;
    context.addIssue({ code: 'custom', path: ['cursor'], message: 'belongs to another sort' });
  });
export type SearchFilters = z.infer<typeof searchFilters>;

const suggestions = z
  .array(z.strictObject({ id: z.string(), label: z.string() }))
  .describe('Most likely first; none for more than three names of a request.');

const wordByWord = z.record(z.string(), z.string());

/** The words of a query as they were read. */
const queryReading = z.strictObject({
  words: z.array(z.string()).describe('Looked for, as typed; -word leaves out.'),
  phrase: count
    .optional()
    .describe(
      'Matches with the words side by side. With a small word among them (on time), only these match, if there are any.',
    ),
  near: count
    .optional()
    .describe('No review has the phrase: matches with its words near each other, which come next.'),
  all: count.optional().describe('Matches with all of the words, anywhere.'),
  corrected: wordByWord
    .optional()
    .describe('Words that no review has, with those that were looked for instead.'),
  suggested: wordByWord.optional().describe('Rare words, with those that may have been meant.'),
  joined: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Other spellings, also in one or two words, looked for too.'),
  ignored: z.array(z.string()).optional().describe('Words that were not looked for.'),
});
export type QueryReading = z.infer<typeof queryReading>;

/** The filters as they were understood, and what a machine should know of an answer. */
export const understood = {
  as_of: calendarDate.describe('Day of the newest change of the data.'),
  notice: z.string().optional().describe('Says that reviews are quoted from the public.'),
  addresses_machine: z
    .array(z.string())
    .optional()
    .describe('Reviews that seem to give orders to a machine: a hint, not a vetting.'),
  filters: reviewFilters.describe('The filters as given.'),
  contradictions: z
    .array(z.string())
    .optional()
    .describe('Filters that no review can pass together, such as since after until.'),
  resolved: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Ids that a name in a filter was taken for, by parameter.'),
  unresolved: z
    .array(z.strictObject({ parameter: z.string(), value: z.string(), suggestions }))
    .optional()
    .describe('Filters whose name is unknown: nothing matches them.'),
  understood: queryReading.optional().describe('How the words of query were read.'),
  words: z
    .record(z.string(), count)
    .optional()
    .describe(
      'Nothing matches query: matches of each of its words with the other filters. Or matches of the words by which an aspect or topic was named.',
    ),
  wider: z
    .record(z.string(), count)
    .optional()
    .describe(
      'aspect or topic is a word for a part of these, or of none, counted by its own mentions, or query names these: matches of these instead.',
    ),
  ignored_params: z
    .array(z.string())
    .optional()
    .describe('Unknown parameters, which were ignored.'),
};
export type Unresolved = NonNullable<SearchResult['unresolved']>[number];

/** A review reduced to people's words and the fields that a citation needs. */
export const briefReview = review
  .pick({ id: true, url: true, author: true, rating: true, date: true, title: true, text: true })
  .extend({
    criticism_at: review.shape.criticism_at,
    owner_reply: ownerReply.pick({ text: true }).nullable(),
    mentions: review.shape.mentions,
  })
  .meta({ title: 'Review in brief' });
export type BriefReview = z.infer<typeof briefReview>;

export const searchResult = z
  .strictObject({
    matched: count.describe('Reviews that match, before the limit.'),
    returned: count.describe('Reviews in this response.'),
    limit: z.int(),
    ...understood,
    next: cursor.optional().describe('Cursor of the next page; absent on the last one.'),
    facets: z
      .partialRecord(
        z.enum(GROUPS),
        z.array(z.strictObject({ value: z.string(), count: count.min(1) })),
      )
      .optional()
      .describe('Matches by value, for each of the facets asked for.'),
    reviews: z
      .array(z.union([review, briefReview]))
      .describe('In the order asked for; in part with detail=brief.'),
  })
  .meta({ title: 'Search result' });
/** With reviews in full, the default. */
export type SearchResult = Omit<z.infer<typeof searchResult>, 'reviews'> & { reviews: Review[] };
