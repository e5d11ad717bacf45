import { z } from 'zod';
import { slug, text } from './primitives.ts';

const value = z.string();

/** `import.json` of a dataset: the answers of people to the questions of imports, so that none is asked twice. */
export const importAnswers = z.strictObject({
  tables: z
    .array(
      z.strictObject({
        columns: z
          .array(text)
          .min(1)
          .describe('The answers hold for a table that has all of these.'),
        map: text.optional().describe('Which column is which, as --map says it.'),
        source: slug.optional().describe('The platform of rows that name none.'),
        scale: z.number().positive().optional().describe('The best rating.'),
        worst: z
          .union([z.literal(0), z.literal(1)])
          .optional()
          .describe('The worst rating, if a person stated it.'),
        dates: z.enum(['dmy', 'mdy', 'ymd']).optional().describe('The order in dates of numbers.'),
        place: z.array(text).optional().describe('The places that are this business.'),
        states: z
          .record(text, z.record(value, z.boolean()))
          .optional()
          .describe(
            'By column, the values of reviews that are shown (true) and of others; * is any other.',
          ),
      }),
    )
    .describe('Kinds of tables; of several that fit, the one with the most columns holds.'),
});
export type ImportAnswers = z.infer<typeof importAnswers>;
