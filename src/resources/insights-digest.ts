import { digestInsights } from '../insights/digest.ts';
import { INSIGHTS_DIGEST_PATH } from '../paths.ts';
import { insightsDigest as schema } from '../schema/insights-digest.ts';
import { documentResource, json } from './resource.ts';

export const INSIGHTS_DIGEST = documentResource({
  id: 'getInsightsDigest',
  path: INSIGHTS_DIGEST_PATH,
  tag: 'Insights',
  title: 'Insights in brief',
  description: 'The insights without their lists of ids; every quote has its permalink.',
  schemas: { 'insights-digest': schema },
  build: ({ insights, dataset }) => json(digestInsights(insights, dataset.reviews)),
  example: 'Abridged',
});
