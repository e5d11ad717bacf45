import { z } from 'zod';
import { errorBody, type ErrorBody } from './error.ts';
import { perReview } from './insights.ts';
import { journalEntry, withdrawalReason } from './journal.ts';
import { calendarDate, ulid } from './primitives.ts';
import { review } from './review.ts';

export const reviewDocument = z
  .strictObject({
    review: review.describe('The same bytes as in reviews.json.'),
    reading: perReview.describe('How it was read: its entry in per_review of insights.json.'),
    history: z
      .array(journalEntry)
      .describe('Its changes, newest first, as in /changes/{month}.json.'),
  })
  .meta({ title: 'Review document', description: 'One review, its reading and its history.' });
export type ReviewDocument = z.infer<typeof reviewDocument>;

/** The rest of a review that was published once. */
export const withdrawnReview = z.strictObject({
  id: ulid,
  date: calendarDate.describe('The day the review was written.'),
  reason: withdrawalReason,
});
export type WithdrawnReview = z.infer<typeof withdrawnReview>;

/** The body of the 410 for a withdrawn review. */
export const goneBody = errorBody.extend({ withdrawn: withdrawnReview }).meta({ title: 'Gone' });
export type GoneBody = ErrorBody & z.infer<typeof goneBody>;
