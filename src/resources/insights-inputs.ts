import { INSIGHTS_INPUTS_PATH } from '../paths.ts';
import { insightsInputs as schema } from '../schema/insights-inputs.ts';
import { documentResource, json } from './resource.ts';

export const INSIGHTS_INPUTS = documentResource({
  id: 'getInsightsInputs',
  path: INSIGHTS_INPUTS_PATH,
  tag: 'Insights',
  title: 'Inputs of the insights',
  description:
    'Vocabulary, weights, annotations and questions: with the reviews, all that the insights are derived from.',
  schemas: { 'insights-inputs': schema },
  build: ({ insightsInputs }) => json(insightsInputs),
  example: 'Abridged',
});
