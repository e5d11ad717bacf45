import { serializeReviewDocument } from '../dataset/review-document.ts';
import { reviewDocumentPath } from '../paths.ts';
import {
  goneBody,
  reviewDocument as documentSchema,
  withdrawnReview,
} from '../schema/review-document.ts';
import { jsonExample } from './examples.ts';
import { jsonBody } from './openapi/answers.ts';
import type { PathParameter } from './operation.ts';
import { documentResource } from './resource.ts';
import type { Source } from './source.ts';

const REVIEW_ID: PathParameter = {
  description: 'The ULID of the review.',
  schema: { type: 'string' },
  example: '01KZVWGK9MYE9P5H3XHFG6ZR7D',
};

/** Files beside the pages of the newest reviews; the sidecar computes the others. */
export const REVIEW = documentResource({
  id: 'getReview',
  path: reviewDocumentPath('{id}'),
  tag: 'Reviews',
  title: 'One review',
  description:
    'The review as published, what it was read as, and its changes with their hashes. Its page is at /reviews/{id}/, the permalink in the field url.',
  parameters: { id: REVIEW_ID },
  schemas: { 'review-document': documentSchema, gone: goneBody },
  parts: { Tombstone: withdrawnReview },
  answers: { 410: jsonBody('Gone', 'The review was withdrawn; withdrawn has what is left of it.') },
  examples: (source) =>
    source.dataset.reviews.slice(0, 1).map(({ id }) => {
      const body: unknown = JSON.parse(reviewDocuments(source)(0));
      return jsonExample(source, reviewDocumentPath(id), body, 'The newest, abridged');
    }),
});

/** Returns what writes the document of a review, given its position. */
export function reviewDocuments(
  source: Pick<Source, 'dataset' | 'insights' | 'journal' | 'lines'>,
): (position: number) => string {
  const { dataset, insights, journal, lines } = source;
  const histories = Map.groupBy(journal.changes, ({ id }) => id);
  return (position) => {
    const { id } = dataset.reviews[position]!;
    const reading = JSON.stringify(insights.per_review[id]);
    return serializeReviewDocument(lines, position, reading, histories.get(id) ?? []);
  };
}
