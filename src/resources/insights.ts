import { serializeInsights } from '../dataset/readings.ts';
import { INSIGHTS_PATH } from '../paths.ts';
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
import { documentResource } from './resource.ts';

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
