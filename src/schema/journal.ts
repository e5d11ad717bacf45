import { z } from 'zod';
import { calendarDate, calendarMonth, count, instant, slug, ulid } from './primitives.ts';
import type { Review } from './review.ts';

/** SHA-256 of canonical JSON (RFC 8785). */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 hex digits');

const fingerprint = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits');

/** The codes that say why a review is gone. Free text could name a person, so it is not published. */
export const WITHDRAWAL_REASONS = {
  'gone-from-platform': 'a full export of its platform no longer has it',
  'author-request': 'its author asked for it',
  legal: 'a court or an authority ordered it',
  'not-a-review': 'it was a duplicate, a test or no review of this business',
  unverified: 'its record no longer counts as verified',
  other: 'for another reason',
} as const;
export type WithdrawalReason = keyof typeof WITHDRAWAL_REASONS;

export const withdrawalReason = z.enum(
  Object.keys(WITHDRAWAL_REASONS) as [WithdrawalReason, ...WithdrawalReason[]],
);

/** Imports of former versions wrote this sentence. */
const FORMER = 'no longer in a full export';

/** Returns the code of the reason in a tombstone, which may be a sentence. */
export function reasonCode(reason: string): WithdrawalReason {
  if (reason === FORMER) return 'gone-from-platform';
  return Object.hasOwn(WITHDRAWAL_REASONS, reason) ? (reason as WithdrawalReason) : 'other';
}

const CHANGES = ['added', 'edited', 'replied', 'withdrawn'] as const;

/**
 * The members of a published review that its hash covers; `score`, `criticism_at` and `salt` may be
 * absent. `url` and `mentions` are left out, because they change with the site and the vocabulary.
 */
export const RECORD_MEMBERS = [
  'id',
  'author',
  'author_avatar_url',
  'rating',
  'score',
  'date',
  'title',
  'text',
  'criticism_at',
  'language',
  'source',
  'source_url',
  'owner_reply',
  'verified',
  'updated_at',
  'salt',
] as const satisfies readonly (keyof Review)[];

/** A published review as far as its hash covers it. */
export type PublishedRecord = Pick<Review, (typeof RECORD_MEMBERS)[number]>;

/** One line of `content/journal/<year>.jsonl`, and one change in the published documents. */
export const journalEntry = z
  .strictObject({
    seq: z.int().min(1).describe('1, 2, 3, … without a gap.'),
    at: instant.describe('The time it was recorded; never before that of an earlier change.'),
    change: z
      .enum(CHANGES)
      .describe('replied if only the reply of the business changed, or its absence.'),
    id: ulid.describe('The review.'),
    date: calendarDate.describe('The day it was written.'),
    reason: withdrawalReason.optional().describe('The reason why it is gone; only of withdrawn.'),
    before: sha256Hex
      .nullable()
      .describe('Hash of the published record before; null if there was none.'),
    after: sha256Hex.nullable().describe('Hash of the published record after; null if it is gone.'),
    words: fingerprint
      .optional()
      .describe('Of the record without owner_reply and updated_at: equal if only those changed.'),
    reply: fingerprint.optional().describe('Of the owner_reply, if there is one.'),
    previous: sha256Hex
      .nullable()
      .describe('Hash of the change before this one; null for the first.'),
  })
  .meta({ title: 'Change', description: 'A change of one published review.' });
export type JournalEntry = z.infer<typeof journalEntry>;

/** The newest change: save it, and nothing before it can be removed or rewritten unseen. */
export const journalHead = z
  .strictObject({
    seq: count.describe('Number of the newest change; 0 without a journal.'),
    hash: sha256Hex.nullable().describe('Hash of the newest change; null without a journal.'),
  })
  .meta({ title: 'Journal head' });
export type JournalHead = z.infer<typeof journalHead>;

const complete = z
  .boolean()
  .describe('True if the changes lead to the published reviews; if not, read reviews.json.');
const changes = z.array(journalEntry);

export const changesDocument = z
  .strictObject({
    head: journalHead,
    complete,
    changes: changes.describe(
      'Newest first: those of the newest change and the week before it, at most 500.',
    ),
    next: z
      .string()
      .optional()
      .describe('Path of the older changes, below the address of the site.'),
  })
  .meta({ title: 'Changes', description: 'The newest changes of the published reviews.' });
export type ChangesDocument = z.infer<typeof changesDocument>;

/** The document at `/changes/<yyyy-mm>.json`, and at `/changes/<yyyy-mm>-<page>.json`. */
export const monthChanges = z
  .strictObject({
    month: calendarMonth.describe('The month in which they were recorded (UTC).'),
    changes: changes.describe('Newest first, at most 500.'),
    next: z
      .string()
      .optional()
      .describe('Path of the changes before these, below the address of the site.'),
  })
  .meta({ title: 'Changes of a month' });
export type MonthChanges = z.infer<typeof monthChanges>;

export const journalDocument = z
  .strictObject({
    ...journalHead.shape,
    count: count.describe('Number of changes.'),
    at: instant.nullable().describe('The time of the newest change.'),
    complete,
    by_change: z.strictObject({
      added: count,
      edited: count,
      replied: count,
      withdrawn: count,
    }),
    withdrawn: z
      .array(z.strictObject({ reason: slug, count }))
      .describe('Reviews that are gone now, by reason.'),
    members: z
      .array(z.string())
      .describe('The members of a review that its hash covers; one that is absent is left out.'),
    months: z
      .array(z.string())
      .describe(
        'Paths of all changes by month, newest first; a month of many changes has several.',
      ),
  })
  .meta({ title: 'Journal', description: 'The head of the journal and the paths of its changes.' });
export type JournalDocument = z.infer<typeof journalDocument>;
