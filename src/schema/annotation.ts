import { z } from 'zod';
import { sentiment } from './insights.ts';
import { optionalText, text, ulid } from './primitives.ts';

/** The members that are lists of ids. */
export const ID_LISTS = ['technicians', 'services', 'service_areas', 'problems', 'topics'] as const;

const ids = z
  .array(z.string())
  .refine((names) => new Set(names).size === names.length, 'names one twice')
  .optional();

/**
 * One line of `content/annotations/*.jsonl`: labels for one review, by a person or a model. Omitted
 * fields stay as the engine has them.
 */
export const annotation = z.strictObject({
  review_id: ulid.describe('The review.'),
  content_hash: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'must be the content_hash of per_review')
    .describe('Hash of the labeled text; if the review changes, the annotation is stale.'),
  source: text.describe('Who labeled it, e.g. a name or a model.'),
  mode: z
    .enum(['override', 'add'])
    .default('override')
    .describe('override replaces the lists that the engine found, add extends them.'),
  sentiment: sentiment.optional().describe('Of the review.'),
  aspects: z
    .array(
      z.strictObject({
        id: z.string(),
        sentiment,
        score: z.number().min(-1).max(1).optional(),
        quote: optionalText.nullable().describe('A verbatim piece of the title or the text.'),
      }),
    )
    .refine(
      (labels) => new Set(labels.map(({ id }) => id)).size === labels.length,
      'names one twice',
    )
    .optional()
    .describe('What it says of aspects. A negative quote must not name a technician.'),
  technicians: ids.describe('Ids in the vocabulary.'),
  services: ids.describe('Ids in the vocabulary.'),
  service_areas: ids.describe('Ids in the vocabulary.'),
  problems: ids.describe('Ids in the vocabulary.'),
  topics: ids.describe('Ids in the vocabulary.'),
});
export type Annotation = z.infer<typeof annotation>;
