import { z } from 'zod';

/** One problem of a request. */
export const issue = z.strictObject({
  path: z.array(z.string()).describe('The parameter at fault, e.g. ["min_rating"].'),
  code: z.string().describe('A stable word for programs, e.g. invalid_date.'),
  message: z.string().describe('A sentence for people. Never repeats the value that was sent.'),
});
export type Issue = z.infer<typeof issue>;

/** The body of every JSON error except those of /mcp. */
export const errorBody = z
  .strictObject({
    error: z.string().describe('A stable word for programs, e.g. invalid_parameters.'),
    message: z.string(),
    issues: z.array(issue).optional().describe('Every failing parameter, not only the first.'),
  })
  .meta({ title: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;
