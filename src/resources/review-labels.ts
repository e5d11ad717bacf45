import { REVIEW_LABELS_PATH } from '../paths.ts';
import { reviewLabels as schema } from '../schema/labels.ts';
import { documentResource } from './resource.ts';

export const REVIEW_LABELS = documentResource({
  id: 'getReviewLabels',
  path: REVIEW_LABELS_PATH,
  tag: 'Insights',
  title: 'Labels of each review',
  description:
    'Sentiment, aspects, areas, problems and topics of each review, one a line, in the order of reviews.json.',
  schemas: { 'review-labels': schema },
  build: ({ labels }) => labels.toString(),
  example: 'Abridged',
});
