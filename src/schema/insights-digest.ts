import { z } from 'zod';
import {
  aspect,
  entity,
  faqAnswer,
  insightsDataset,
  sentiment,
  technicianEntity,
} from './insights.ts';
import { ulid, webUrl } from './primitives.ts';
import { review } from './review.ts';

/** The review of a quote: enough to name it and to link to it. */
const citation = {
  review_id: ulid,
  url: webUrl.describe('Permalink of the review.'),
  ...review.pick({ rating: true, date: true }).shape,
  // Optional, because editions of an earlier version lack both fields, and clients check answers by this
  // schema.
  ...review.pick({ source: true, author: true }).partial().shape,
};

export const aspectDigest = aspect.omit({ example_review_ids: true }).extend({
  examples: z.array(z.strictObject({ ...citation, quote: z.string(), sentiment })),
});

const entityDigest = entity.omit({ review_ids: true });

const technicianDigest = technicianEntity.omit({ review_ids: true }).extend({
  quotes: z.array(z.strictObject({ ...citation, quote: z.string(), sentiment })),
});

export const faqDigest = faqAnswer
  .omit({
    evidence_review_ids: true,
    evidence: true,
    claims: true,
    counted: true,
    favorable_count: true,
    critical_count: true,
  })
  .extend({
    quotes: z.array(z.strictObject({ ...citation, text: z.string(), sentiment })),
  });

/**
 * The document at `/insights-digest.json`: the insights without the parts that grow with the number
 * of reviews; every quote names its review.
 */
export const insightsDigest = insightsDataset
  .omit({ per_review: true, method: true, summary_template: true })
  .extend({
    aspects: z.array(aspectDigest),
    entities: z.strictObject({
      technicians: z.array(technicianDigest),
      services: z.array(entityDigest),
      problems: z.array(entityDigest),
      service_areas: z.array(entityDigest),
    }),
    faq: z.array(faqDigest),
    pull_quote: z.strictObject({ ...citation, text: z.string() }).nullable(),
  })
  .meta({ title: 'Insights digest' });
export type InsightsDigest = z.infer<typeof insightsDigest>;
