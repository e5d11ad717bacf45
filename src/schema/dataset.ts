import { z } from 'zod';
import { business } from './business.ts';
import { journalHead } from './journal.ts';
import { dataLicense, NO_LICENSE } from './license.ts';
import { calendarDate, count, instant, percentage, slug } from './primitives.ts';
import { review } from './review.ts';
import { score } from './score.ts';

/** Version of the interface (contract, section 9), stated by OpenAPI, MCP and the MCP registry. */
export const INTERFACE_VERSION = '1.0.0';

/** Changes when a field of reviews.json or insights.json is removed or changes its meaning. */
export const SCHEMA_VERSION = '1.0.0';

const mean = z.number().min(1).max(5).nullable().describe('Mean of the stars, two decimals.');

export const aggregateRating = z
  .strictObject({
    rating_value: mean,
    review_count: count.describe('Published reviews, with or without text.'),
    text_review_count: count.describe('Published reviews with text.'),
    best_rating: z.literal(5),
    worst_rating: z.literal(1),
    distribution: z
      .strictObject({ '1': count, '2': count, '3': count, '4': count, '5': count })
      .describe('Reviews by stars.'),
    by_source: z.array(
      z.strictObject({
        source: slug,
        rating_value: mean,
        score: score
          .optional()
          .describe(
            'Mean on the scale of the platform, two decimals, where that is not full stars of 5.',
          ),
        review_count: count,
      }),
    ),
    reply_rate_pct: percentage.describe('Share of reviews the business answered.'),
    latest_review_date: calendarDate.nullable(),
  })
  .meta({ title: 'AggregateRating' });
export type AggregateRating = z.infer<typeof aggregateRating>;

export const coverage = z
  .strictObject({
    known: count.describe('Reviews in the dataset: published + excluded.'),
    published: count,
    excluded: z.array(z.strictObject({ reason: slug, count })),
    earliest: calendarDate.nullable(),
    latest: calendarDate.nullable(),
  })
  .meta({ title: 'Coverage', description: 'What is published, what is left out, and why.' });
export type Coverage = z.infer<typeof coverage>;

/** Id of the data of an edition; the same content always has the same id. */
export const datasetId = z.string().regex(/^[0-9a-f]{16}$/);

/** The published reason why the reviews of a source count as verified. */
export const verification = z.strictObject({
  source: slug,
  rule: z.string().describe('What had to hold for a review of this source to be verified.'),
});
export type Verification = z.infer<typeof verification>;

export const reviewsDataset = z
  .strictObject({
    schema_version: z.string(),
    edition: datasetId.describe('The edition of the data.'),
    updated_at: instant.describe('The newest change of any published review.'),
    license: dataLicense.default(NO_LICENSE),
    business,
    aggregate_rating: aggregateRating,
    coverage,
    verification: z
      .array(verification)
      .default([])
      .describe('By source; none for sources whose reviews were entered by hand.'),
    journal: journalHead
      .nullable()
      .default(null)
      .describe('The change that led to these reviews; null if the changes do not lead to them.'),
    reviews: z
      .array(review)
      .describe('All reviews that are published: newest first, then id descending.'),
  })
  .meta({ title: 'Reviews dataset' });
export type ReviewsDataset = z.infer<typeof reviewsDataset>;

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
