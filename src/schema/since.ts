import { z } from 'zod';
import { calendarDate, count } from './primitives.ts';
import { review } from './review.ts';

/**
 * The document at `/api/reviews/since/{date}`. Nothing in it describes the entire dataset, because
 * then any edit would change the ETag of every day.
 */
export const sinceResult = z
  .strictObject({
    reviews: z.array(review).describe('Newest first, then id descending.'),
    count,
    since: calendarDate,
  })
  .meta({ title: 'Reviews since a day' });
export type SinceResult = z.infer<typeof sinceResult>;
