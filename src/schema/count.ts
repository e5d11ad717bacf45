import { z } from 'zod';
import { GROUPS } from './groups.ts';
import { count, percentage, ulid, webUrl } from './primitives.ts';
import { review } from './review.ts';
import { listOf, reviewFilters, understood } from './search.ts';

/** Quotes a group can carry. */
const MAX_EXAMPLES = 2;
/** Maximum number of groups with quotes: a thousand would make an answer of a megabyte. */
export const QUOTED_GROUPS = 50;

export const countFilters = reviewFilters.extend({
  group_by: listOf(GROUPS, 2)
    .optional()
    .describe('One or two groupings, e.g. ["month"]; default none.'),
  examples: z
    .int()
    .min(0)
    .max(MAX_EXAMPLES)
    .default(0)
    .describe(
      `Quotes of each of the first ${QUOTED_GROUPS} groups, 0 to ${MAX_EXAMPLES}; default 0.`,
    ),
});
export type CountFilters = z.infer<typeof countFilters>;

export const reviewGroup = z.strictObject({
  key: z
    .union([z.string(), z.array(z.string()).length(2)])
    .describe('The value of the grouping; with two groupings, both values; without any, all.'),
  n: count.describe('Reviews in the group.'),
  average_rating: z.number().min(1).max(5),
  positive_pct: percentage.describe(
    'By sentiment about the person or aspect of the group or filter, else overall.',
  ),
  negative_pct: percentage,
  reply_pct: percentage.describe('Share that the business replied to.'),
  median_reply_days: z
    .int()
    .nullable()
    .describe('Days in which half of the replies came; null without dated replies.'),
  examples: z
    .array(
      z.strictObject({
        review_id: ulid,
        url: webUrl.describe('Permalink of the review.'),
        quote: z.string().describe('Verbatim.'),
        ...review.pick({ date: true, rating: true, source: true, author: true }).shape,
      }),
    )
    .optional()
    .describe('From the newest reviews of the group, newest first.'),
});
export type ReviewGroup = z.infer<typeof reviewGroup>;

export const countResult = z
  .strictObject({
    group_by: z.array(z.enum(GROUPS)),
    total: count.describe('Reviews that match; one of several values is in several groups.'),
    groups: z
      .array(reviewGroup)
      .describe(
        'Periods, stars and days in their order, anything else by n descending; the second grouping within the first.',
      ),
    pairs: z
      .array(z.enum(GROUPS))
      .optional()
      .describe(
        'Groupings by what a filter names too: groups of other values count reviews with both.',
      ),
    omitted_groups: count.optional().describe('Number of groups that the response leaves out.'),
    ...understood,
  })
  .meta({ title: 'Count result' });
export type CountResult = z.infer<typeof countResult>;
