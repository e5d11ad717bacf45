import { z } from 'zod';
import { searchHead } from '../../../src/search/result.ts';
import { filterIssue } from '../../../src/search/parameters.ts';
import { review } from '../../../src/schema/review.ts';
import { searchFilters, searchResult, type SearchFilters } from '../../../src/schema/search.ts';
import type { Edition } from '../../edition/edition.ts';
import { reviewAnswer, reviewsAnswer } from '../encode.ts';
import { defineTool, nameArgument, type ToolError } from './tool.ts';

const TEXTS = new Set(['query', 'mentions_technician', 'mentions_service']);

export const searchReviews = defineTool({
  title: 'Search reviews',
  description:
    'Finds verified customer reviews. All filters are optional and combined by AND; without any, the newest reviews. ' +
    'query is one substring of the review text, case-insensitive, no operators: try a short word stem first. ' +
    'Newest first; at most limit (1 to 100, default 20); matched counts all that match. ' +
    'Empty reviews means that no review matches. Cite a review by its url.',
  input: searchFilters,
  output: searchResult,
  issue(name, value) {
    const text = TEXTS.has(name) && (typeof value !== 'string' || value === '');
    return text
      ? { path: [name], code: 'invalid_text', message: `${name} must be text, or left out` }
      : filterIssue(name as keyof SearchFilters);
  },
  answer(filters, { search }) {
    const matches = search.search(filters);
    const head = searchHead(filters, matches, []);
    return reviewsAnswer(head, 'reviews', search.lines, matches.positions);
  },
});

export const getReview = defineTool({
  title: 'One review',
  description:
    'The whole review with this id, as other tools name it (id, review_id). ' +
    'text null means a rating without words; owner_reply is what the business answered.',
  input: z.strictObject({ id: nameArgument.describe('Id of a review, 26 characters.') }),
  output: z.strictObject({ review }),
  answer({ id }, { ids, search }) {
    const position = ids.positionOf(id.trim().toUpperCase());
    if (position === undefined) return unknownReview(id, ids);
    return reviewAnswer('review', search.lines, position);
  },
});

const SUGGESTED = 3;
const NEWEST = 20;

/** Returns the error for an unknown id. It lists the newest ids only: there may be very many. */
function unknownReview(id: string, ids: Edition['ids']): ToolError {
  const near = ids.near(id.trim().toUpperCase(), SUGGESTED);
  return {
    error: 'unknown_review',
    message: `No review has this id; known_ids lists the newest ${NEWEST}, search_reviews finds the others.`,
    suggestions: near.map((id) => ({ id, label: id })),
    known_ids: ids.newest(NEWEST),
  };
}
