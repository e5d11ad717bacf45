import {
  licenseOf,
  publishBusiness,
  publishReview,
  selectPublished,
} from '../../src/dataset/publish.ts';
import { computeRating } from '../../src/dataset/aggregate.ts';
import { reviewLines, serializeByLine, type ReviewLines } from '../../src/dataset/document.ts';
import { businessRecord } from '../../src/schema/business.ts';
import { SCHEMA_VERSION, type ReviewsDataset } from '../../src/schema/dataset.ts';
import type { PerReview } from '../../src/schema/insights.ts';
import type { ReviewMentions, Review, ReviewRecord } from '../../src/schema/review.ts';

/** A ULID that differs with the number. */
export function ulidOf(number: number): string {
  return `01KE${String(number).padStart(22, '0')}`;
}

/** A valid record but for the given fields; one given as undefined is left out. */
export function record(fields: Partial<Record<keyof ReviewRecord, unknown>> = {}): ReviewRecord {
  return {
    id: ulidOf(1),
    author: 'Nadia Holt',
    rating: 5,
    date: '2026-03-01',
    text: 'Swift and tidy.',
    source: 'google',
    verified: true,
    ...fields,
  } as ReviewRecord;
}

/** Records as the lines of a `reviews/<year>.jsonl`. */
export function jsonl(...records: readonly object[]): string {
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** A review as it is published, with the record's fields changed as given. */
export function review(
  fields: Parameters<typeof record>[0] = {},
  mentions: ReviewMentions = { technicians: [], services: [] },
): Review {
  return publishReview(record(fields), mentions, 'https://reviews.example');
}

/** The labels of a review that says nothing. */
export const NO_LABELS: PerReview = {
  content_hash: '0123456789abcdef',
  source: 'local-rules',
  sentiment: 'neutral',
  score: null,
  aspects: [],
  technicians: [],
  services: [],
  service_areas: [],
  problems: [],
  topics: [],
  phrases: [],
  passages: [],
  technician_opinions: [],
};

/** A whole dataset of these reviews, in the order given. */
export function dataset(reviews: readonly Review[]): ReviewsDataset {
  const record = businessRecord.parse({ name: 'Fenwick Drains', category: 'drain cleaning' });
  return {
    schema_version: SCHEMA_VERSION,
    edition: '0123456789abcdef',
    updated_at: '2026-03-01T00:00:00Z',
    license: licenseOf(record),
    business: publishBusiness(record, 'https://reviews.example'),
    aggregate_rating: computeRating(reviews),
    coverage: selectPublished(reviews).coverage,
    verification: [],
    journal: null,
    reviews: [...reviews],
  };
}

/** Writes a dataset as the build does. */
export function documentOf({ reviews, ...head }: ReviewsDataset): string {
  return serializeByLine(
    head,
    reviews.map((review) => JSON.stringify(review)),
  );
}

/** The reviews as they lie in the bytes of a reviews.json. */
export function linesOf(reviews: readonly Review[]): ReviewLines {
  return reviewLines(Buffer.from(documentOf(dataset(reviews))));
}
