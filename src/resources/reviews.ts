import { REVIEWS_PATH } from '../paths.ts';
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
