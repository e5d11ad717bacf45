import { z } from 'zod';
import { percentage, slug, text } from './primitives.ts';

const ids = z.array(z.string()).default([]);

/** A statement of an answer that counts can confirm: of an aspect, one side has a share or more. */
export const faqClaim = z.strictObject({
  aspect: z.string().describe('Its id.'),
  side: z.enum(['positive', 'negative']),
  min_share: percentage.describe('Percent of the reviews that mention the aspect.'),
});

/** Front matter of `content/faq/<id>.md`; the answer is the Markdown below it. */
export const faqFrontMatter = z.strictObject({
  question: text.describe('The question, as a customer would ask it.'),
  evidence: z
    .strictObject({ aspects: ids, topics: ids, services: ids, problems: ids })
    .describe('Vocabulary ids; a review that mentions one of them is evidence.'),
  claims: z
    .array(faqClaim)
    .default([])
    .describe('What the answer says of counts; the build warns if they say otherwise.'),
});

/** A question of a trade pack, which the counts of the reviews answer. */
export const faqQuestion = faqFrontMatter.extend({ id: slug });

/** A question with the answer that a person wrote, if one did. */
export const faqEntry = faqQuestion.extend({
  answer: z.string().nullable().describe('Markdown; null if counts answer the question.'),
});
export type FaqEntry = z.infer<typeof faqEntry>;
