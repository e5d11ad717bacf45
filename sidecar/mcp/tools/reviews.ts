import { z } from 'zod';
import { countAnswer, searchHead } from '../../../src/search/result.ts';
import {
  briefReviews,
  fittingCount,
  fullReviews,
  reviewAlone,
} from '../../../src/search/machine-readers.ts';
import { sayCount } from '../../../src/search/say.ts';
import { countFilters, countResult } from '../../../src/schema/count.ts';
import { review } from '../../../src/schema/review.ts';
import { searchFilters, searchResult } from '../../../src/schema/search.ts';
import type { Edition } from '../../edition/edition.ts';
import {
  checkNames,
  defineTool,
  nameArgument,
  reviewInPart,
  ToolError,
  withReviews,
} from './tool.ts';

/** Filters are returned as given, so they have the schema of the arguments. */
const echoed = { filters: z.looseObject({}) };
/** Members of every answer, and those of the HTTP API alone, which the schemas of tools leave out. */
const UNSTATED = {
  as_of: true,
  notice: true,
  understood: true,
  addresses_machine: true,
  contradictions: true,
  unresolved: true,
  ignored_params: true,
} as const;

export const searchReviews = defineTool({
  title: 'Search reviews',
  description:
    'Use this when customers’ own words are needed: reviews of {business} that match all filters, newest first. ' +
    'Give match "words" with query; understood says how it was read, words counts each word if none has all. ' +
    'Names are ids, labels or aliases; several with commas mean any, -name without it; resolved has the ids. A word for a part of an aspect or topic is counted alone; wider has the whole. ' +
    'Prefer detail=brief. matched counts all; next as cursor for more. ' +
    'Empty: none matches. Cite a review by its url. Not for numbers: count_reviews.',
  input: searchFilters,
  output: searchResult.omit(UNSTATED).extend({ ...echoed, reviews: z.array(reviewInPart) }),
  *answer(filters, edition) {
    const { search } = edition;
    const { lines } = search;
    const all = yield* search.searchInPieces(filters);
    checkNames(all.unresolved, edition);
    const read = filters.detail === 'brief' ? briefReviews : fullReviews;
    yield;
    const reviews = read(lines, all.positions);
    const fitting = fittingCount(reviews);
    yield;
    const isAll = fitting === reviews.length;
    const matches = isAll ? all : yield* search.searchInPieces({ ...filters, limit: fitting });
    const head = searchHead(filters, matches, []);
    return withReviews(head, lines, matches.positions, reviews.slice(0, fitting));
  },
});

/** More would fill a model's context, and models overlook the end of a shortened list. */
const MAX_GROUPS = 250;

export const countReviews = defineTool({
  title: 'Count reviews',
  description:
    'Use this first for how many, who, which, when, better or worse: counts the reviews of {business} that match filters, exactly, by none, one or two groupings: ' +
    'n, average stars, the shares of positive, negative and answered ones, median days until a reply, quotes (examples). ' +
    'say: a sentence to say aloud. Filters and names as in search_reviews. ' +
    'A review with several values is in several groups, so n may exceed total; pairs names groupings where n counts reviews with both. No groups: no review matches.',
  input: countFilters,
  output: countResult.omit(UNSTATED).extend({ ...echoed, say: z.string() }),
  *answer(filters, edition) {
    const { search, manifest } = edition;
    const counted = yield* countAnswer(search, filters, []);
    checkNames(counted.unresolved, edition);
    const groups = counted.groups.length + (counted.omitted_groups ?? 0);
    if (groups <= MAX_GROUPS) {
      const { group_by: _, ...all } = filters;
      const [group] = (yield* search.countInPieces(all)).groups;
      const { positions } = yield* search.searchInPieces({ ...all, limit: 1 });
      const language = manifest.site?.language;
      const found = { group: group?.group, newest: positions[0], understood: counted.understood };
      return { say: sayCount(search, all, found, language), ...counted };
    }
    const message =
      `These would be ${groups} groups; an answer has at most ${MAX_GROUPS}. Use a longer period ` +
      '(quarter, year), one grouping instead of two, or filters such as since or aspect.';
    throw new ToolError({ error: 'too_many_groups', message });
  },
});

export const getReview = defineTool({
  title: 'One review',
  description:
    'Use this when one review of another answer (id, review_id) is needed in full; texts of over 5,000 characters are cut and link to the rest. ' +
    'text null: a rating without words.',
  input: z.strictObject({
    id: nameArgument.describe('26 characters, e.g. "01KMT1WVHGVZE5YHXK9PB4B6QJ", or its url.'),
  }),
  output: z.strictObject({ review }),
  answer: ({ id }, { ids, search }) => ({ review: reviewAlone(search.lines, positionOf(id, ids)) }),
});

const NEWEST = 20;

/** An id of a review, also as feeds have it and in the addresses of its page and document. */
const REVIEW_NAME = /^(?:urn:ulid:|\S*\/reviews\/)?(\w{26})(?:[/?#]\S*|\.json)?$/i;

/**
 * Returns the position of a review by its id, in whatever case, or by its address.
 *
 * @throws {ToolError} with the newest ids only: there may be very many
 */
export function positionOf(id: string, ids: Edition['ids']): number {
  const given = id.trim();
  const position = ids.positionOf((REVIEW_NAME.exec(given)?.[1] ?? given).toUpperCase());
  if (position !== undefined) return position;
  throw new ToolError({
    error: 'unknown_review',
    message: `No review has this id; known_ids lists the newest ${NEWEST}, search_reviews finds the others.`,
    known_ids: ids.newest(NEWEST),
  });
}
