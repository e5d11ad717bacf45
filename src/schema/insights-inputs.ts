import { z } from 'zod';
import { annotation } from './annotation.ts';
import { faqEntry } from './faq.ts';
import { vocabulary } from './vocabulary.ts';

/**
 * The document at `/insights-inputs.json`: everything that insights.json depends on besides
 * reviews.json and the program, so that anyone can read the reviews again and get the same result.
 */
export const insightsInputs = z
  .strictObject({
    vocabulary,
    weights: z
      .string()
      .describe(
        'Table of the polarity model: a feature and its weights for criticism, neutral and praise.',
      ),
    annotations: z
      .array(annotation)
      .describe('Those in use; annotations of unpublished or changed reviews are left out.'),
    faq: z.array(faqEntry),
    summary: z.string().nullable().describe('Markdown with placeholders for counted values.'),
  })
  .meta({ title: 'Inputs of the insights' });
export type InsightsInputs = z.infer<typeof insightsInputs>;
