import { serializeInsights } from '../dataset/readings.ts';
import { digestInsights } from '../insights/digest.ts';
import {
  INSIGHTS_DIGEST_PATH,
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  REVIEW_LABELS_PATH,
} from '../paths.ts';
import {
  aspect,
  entity,
  faqAnswer,
  insightsDataset,
  insightsTopic,
  month,
  perReview,
  technicianEntity,
  temporal,
} from '../schema/insights.ts';
import { insightsDigest } from '../schema/insights-digest.ts';
import { insightsInputs } from '../schema/insights-inputs.ts';
import { reviewLabels } from '../schema/labels.ts';
import { documentResource, json } from './resource.ts';

export const INSIGHTS = documentResource({
  id: 'getInsights',
  path: INSIGHTS_PATH,
  tag: 'Insights',
  title: 'Insights from the reviews',
  description:
    'Aspects with their sentiment, technicians, services, areas and problems, topics, the trend by month, questions with evidence, an editorial summary. per_review lets you recount all of it.',
  schemas: { 'insights-dataset': insightsDataset },
  parts: {
    Aspect: aspect,
    Entity: entity,
    TechnicianEntity: technicianEntity,
    Topic: insightsTopic,
    Temporal: temporal,
    Month: month,
    PerReview: perReview,
    FaqAnswer: faqAnswer,
  },
  build: ({ insights }) => serializeInsights(insights),
  example: 'Abridged',
});

export const INSIGHTS_DIGEST = documentResource({
  id: 'getInsightsDigest',
  path: INSIGHTS_DIGEST_PATH,
  tag: 'Insights',
  title: 'Insights in brief',
  description: 'The insights without their lists of ids; every quote has its permalink.',
  schemas: { 'insights-digest': insightsDigest },
  build: ({ insights, dataset }) => json(digestInsights(insights, dataset.reviews)),
  example: 'Abridged',
});

export const INSIGHTS_INPUTS = documentResource({
  id: 'getInsightsInputs',
  path: INSIGHTS_INPUTS_PATH,
  tag: 'Insights',
  title: 'Inputs of the insights',
  description:
    'Vocabulary, weights, annotations and questions: with the reviews, all that the insights are derived from.',
  schemas: { 'insights-inputs': insightsInputs },
  build: ({ insightsInputs }) => json(insightsInputs),
  example: 'Abridged',
});

export const REVIEW_LABELS = documentResource({
  id: 'getReviewLabels',
  path: REVIEW_LABELS_PATH,
  tag: 'Insights',
  title: 'Labels of each review',
  description:
    'Sentiment, aspects, areas, problems and topics of each review, one a line, in the order of reviews.json.',
  schemas: { 'review-labels': reviewLabels },
  build: ({ labels }) => labels.toString(),
  example: 'Abridged',
});
