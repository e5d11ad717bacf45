import { z } from 'zod';
import { calendarDate, count, stars } from './primitives.ts';
import { review } from './review.ts';

/** Limits of the contract, sections 4.5 and 8. */
export const LIMIT = { min: 1, max: 100, default: 20 } as const;
export const QUERY_MAX_LENGTH = 200;

const name = z.string().min(1).max(QUERY_MAX_LENGTH);

/**
 * The typed filters of a search, one schema for both interfaces: HTTP parses strings into it and
 * ignores unknown parameters; MCP validates JSON with it and rejects unknown arguments.
 * `filterIssue` of `src/search` words the issues.
 */
export const searchFilters = z.strictObject({
  rating: stars.optional().describe('Exact star rating, 1 to 5.'),
  min_rating: z
    .number()
    .min(1)
    .max(5)
    .optional()
    .describe('Minimum star rating, inclusive, 1 to 5.'),
  since: calendarDate.optional().describe('Only reviews on or after this day, YYYY-MM-DD.'),
  until: calendarDate.optional().describe('Only reviews on or before this day, YYYY-MM-DD.'),
  query: name
    .optional()
    .describe(
      `Substring of the review text; case-insensitive; up to ${QUERY_MAX_LENGTH} characters.`,
    ),
  mentions_technician: name.optional().describe('Id, name or alias of a technician.'),
  mentions_service: name.optional().describe('Id or label of a service.'),
  limit: z
    .int()
    .min(LIMIT.min)
    .max(LIMIT.max)
    .default(LIMIT.default)
    .describe(
      `Maximum number of reviews returned, ${LIMIT.min} to ${LIMIT.max}; default ${LIMIT.default}.`,
    ),
});
export type SearchFilters = z.infer<typeof searchFilters>;

/** The result of a search. */
export const searchResult = z
  .strictObject({
    matched: count.describe('Reviews that match, before the limit.'),
    returned: count.describe('Reviews in this response.'),
    limit: z.int(),
    filters: searchFilters.omit({ limit: true }).describe('The filters as understood.'),
    ignored_params: z
      .array(z.string())
      .optional()
      .describe('Unknown parameters, which were ignored.'),
    reviews: z.array(review).describe('Newest first, then id descending.'),
  })
  .meta({ title: 'Search result' });
export type SearchResult = z.infer<typeof searchResult>;
