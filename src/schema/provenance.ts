import { z } from 'zod';
import { calendarDate, count, instant, slug, text, ulid, percentage } from './primitives.ts';
import { solicitation } from './business.ts';
import { coverage, datasetId } from './dataset.ts';
import { verificationLevel } from './platforms.ts';
import { journalHead, sha256Hex, withdrawalReason } from './journal.ts';

/** One line of `content/imports.jsonl`: a file that `npm run import` read. */
export const importRecord = z.strictObject({
  imported_at: instant.describe('The time of the import.'),
  file: text.describe('Its name, without the folder.'),
  sha256: sha256Hex.describe('SHA-256 of the file.'),
  format: text.describe('The format it was recognized as.'),
  sources: z.array(slug).describe('The platforms its reviews were written on.'),
  rows: count.describe('Number of rows.'),
  added: count.describe('Reviews added.'),
  changed: count.describe('Reviews changed.'),
  withdrawn: count.describe('Reviews withdrawn.'),
  skipped: count.describe('Rows skipped.'),
  platform_total: count
    .optional()
    .describe('How many reviews the platform says there are, if the file tells.'),
  verification: z
    .union([text, z.record(slug, text)])
    .describe('The reason its reviews count as verified, by platform if they differ; published.'),
});
export type ImportRecord = z.infer<typeof importRecord>;

/** Returns the reason why reviews of a platform that an import brought count as verified. */
export function verificationOf({ verification }: ImportRecord, source: string): string | undefined {
  if (typeof verification === 'string') return verification;
  return Object.hasOwn(verification, source) ? verification[source] : undefined;
}

/** One line of `content/withdrawn.jsonl`: a review that its platform dropped, without text and name. */
export const tombstone = z.strictObject({
  id: ulid.describe('The review.'),
  date: calendarDate.describe('The day it was written.'),
  source: slug.optional().describe('Not known of a review whose line was deleted by hand.'),
  source_id: text.optional().describe('Its id on the platform.'),
  withdrawn_at: instant.describe('The time it was found missing.'),
  reason: text.describe('A code of the journal; any other text is published as other.'),
  restored_at: instant
    .optional()
    .describe('The time it was allowed to come back; from then on it keeps nothing out.'),
});
export type Tombstone = z.infer<typeof tombstone>;

const { imported_at, sha256, format, sources, rows, skipped, platform_total } = importRecord.shape;

const sourceProvenance = z.strictObject({
  source: slug,
  level: verificationLevel.describe(
    'How it was checked that its customers wrote the imported ones.',
  ),
  verification: z
    .string()
    .describe('What had to hold for a review of this platform to count as verified.'),
  published: count.describe('Published reviews.'),
  unverified: count.describe('Reviews that are known and not published.'),
  withdrawn: count.describe('Reviews that the platform no longer has.'),
  by_hand: count.describe('Of the published reviews, those that no import brought.'),
  platform_total: z
    .strictObject({ count, at: instant })
    .nullable()
    .describe('How many reviews the platform said it has, and when; null if that is not known.'),
});

/**
 * The document at `/provenance.json`: where the published reviews come from, what was left out, what
 * was changed, and who read them.
 */
export const provenance = z
  .strictObject({
    edition: datasetId,
    coverage,
    sources: z.array(sourceProvenance).describe('Platforms, most published reviews first.'),
    imports: z
      .array(
        z.strictObject({ imported_at, sha256, format, sources, rows, skipped, platform_total }),
      )
      .describe('The files that reviews were imported from, newest first.'),
    withdrawn: z
      .array(
        tombstone.omit({ source_id: true, restored_at: true }).extend({ reason: withdrawalReason }),
      )
      .describe('What is left of reviews that their platform no longer has, newest first.'),
    solicitation: z
      .array(solicitation)
      .describe('What the business says of how it came by its reviews; empty if nothing.'),
    changes: z
      .array(z.strictObject({ id: slug, rule: z.string() }))
      .describe('What is done to reviews before they are published.'),
    readers: z
      .array(z.strictObject({ name: z.string(), review_count: count, share_pct: percentage }))
      .describe('Who labeled the reviews for the insights: the engine, models and people.'),
    journal: journalHead
      .nullable()
      .describe('The change that led to these reviews; null if the changes do not lead to them.'),
  })
  .meta({ title: 'Provenance' });
export type Provenance = z.infer<typeof provenance>;
