import { ndjson } from '../dataset/document.ts';
import { NDJSON_PATH, NDJSON_TYPE, REVIEWS_PATH, SQLITE_PATH, SQLITE_TYPE } from '../paths.ts';
import { business } from '../schema/business.ts';
import { aggregateRating, coverage, reviewsDataset } from '../schema/dataset.ts';
import { dataLicense } from '../schema/license.ts';
import { mentions, ownerReply, review } from '../schema/review.ts';
import type { Example } from './operation.ts';
import { documentResource } from './resource.ts';

export const REVIEWS = documentResource({
  id: 'getReviews',
  path: REVIEWS_PATH,
  tag: 'Reviews',
  title: 'All reviews',
  description: 'Business, aggregate rating, coverage and every published review, newest first.',
  schemas: { 'reviews-dataset': reviewsDataset },
  parts: {
    License: dataLicense,
    Business: business,
    AggregateRating: aggregateRating,
    Coverage: coverage,
    Review: review,
    OwnerReply: ownerReply,
    Mentions: mentions,
  },
  answer: 'The dataset.',
  build: ({ lines }) => lines.bytes,
  example: 'Everything in one document, abridged here',
  examples: ({ baseUrl }) => [unchanged(`'${baseUrl}${REVIEWS_PATH}'`)],
});

export const NDJSON = documentResource({
  id: 'getReviewsNdjson',
  path: NDJSON_PATH,
  type: NDJSON_TYPE,
  tag: 'Reviews',
  title: 'The reviews, one a line',
  description:
    'Newline-delimited JSON: the same records as in reviews.json, in the same order, to read one at a time. npm run import takes it.',
  answer: 'A Review on each line.',
  build: ({ lines }) => [...ndjson(lines)].join(''),
});

/** Written by `src/build/write-sqlite.ts`: SQLite writes to files. */
export const SQLITE = documentResource({
  id: 'getReviewsSqlite',
  path: SQLITE_PATH,
  type: SQLITE_TYPE,
  isDownload: true,
  tag: 'Reviews',
  title: 'The reviews as a database',
  description:
    'SQLite 3, for Datasette, DuckDB and any language: the tables reviews, attributes, mentions, aspects, names and about, and the views aspect_counts and mention_counts.',
});

function unchanged(url: string): Example {
  return {
    says: 'With its ETag, an unchanged response is an empty 304',
    command: [
      `curl -s -o reviews.json --etag-save etag.txt ${url}`,
      `curl -s -o reviews.json --etag-compare etag.txt -w '%{http_code}\\n' ${url}`,
    ].join('\n'),
    answer: '304',
  };
}
