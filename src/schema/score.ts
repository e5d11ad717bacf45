import { z } from 'zod';

/** A rating on the scale of its platform, where that is not full stars of 5. */
export const score = z
  .strictObject({
    value: z.number().nonnegative().describe('The rating, e.g. 8.4.'),
    best: z.number().positive().describe('The best rating there is, e.g. 10.'),
  })
  .refine(({ value, best }) => value <= best, 'must have a value of at most best');
export type Score = z.infer<typeof score>;

/** Returns a score in full stars, 1 to 5, halves up. */
export function starsOf({ value, best }: Score): number {
  return Math.max(1, Math.floor((value * 5) / best + 0.5));
}
