import { z } from 'zod';
import { annotation } from './annotation.ts';
import { faqFrontMatter } from './faq.ts';
import { lexicon, vocabularyFiles } from './vocabulary.ts';

/**
 * The document at `/insights-inputs.json`: everything that insights.json depends on besides
 * reviews.json and the program, so that anyone can read the reviews again and get the same result.
 */
export const insightsInputs = z
  .strictObject({
    vocabulary: z.strictObject({
      technicians: vocabularyFiles.technicians,
      services: vocabularyFiles.services,
      service_areas: vocabularyFiles['service-areas'],
      problems: vocabularyFiles.problems,
      aspects: vocabularyFiles.aspects,
      topics: vocabularyFiles.topics,
      lexicon,
    }),
    annotations: z
      .array(annotation)
      .describe('Those in use; annotations of unpublished or changed reviews are left out.'),
    faq: z.array(
      faqFrontMatter.extend({ id: z.string(), answer: z.string().describe('Markdown.') }),
    ),
    summary: z.string().nullable().describe('Markdown with placeholders for counted values.'),
  })
  .meta({ title: 'Inputs of the insights' });
export type InsightsInputs = z.infer<typeof insightsInputs>;
