import { z } from 'zod';
import { calendarDate, count, instant, slug, text, ulid } from './primitives.ts';

/** One line of `content/imports.jsonl`: a file that `npm run import` read. */
export const importRecord = z.strictObject({
  imported_at: instant,
  file: text.describe('Its name, without the folder.'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  format: text.describe('The format it was recognized as.'),
  sources: z.array(slug).describe('The platforms its reviews were written on.'),
  rows: count,
  added: count,
  changed: count,
  withdrawn: count,
  skipped: count,
  platform_total: count
    .optional()
    .describe('How many reviews the platform says there are, if the file tells.'),
  verification: text.describe('The reason its reviews count as verified; published.'),
});
export type ImportRecord = z.infer<typeof importRecord>;

/** One line of `content/withdrawn.jsonl`: what is left of a review that its platform dropped. */
export const tombstone = z.strictObject({
  id: ulid,
  date: calendarDate,
  source: slug.optional().describe('Not known of a review whose line was deleted by hand.'),
  source_id: text.optional(),
  withdrawn_at: instant,
  reason: text,
});
export type Tombstone = z.infer<typeof tombstone>;

/** The published reason why the reviews of a source count as verified. */
export const verification = z.strictObject({
  source: slug,
  rule: z.string().describe('What had to hold for a review of this source to be verified.'),
});
export type Verification = z.infer<typeof verification>;
