import { z } from 'zod';
import { text } from './primitives.ts';

const ids = z.array(z.string()).default([]);

/** Front matter of `content/faq/<id>.md`; the answer is the Markdown below it. */
export const faqFrontMatter = z.strictObject({
  question: text,
  evidence: z
    .strictObject({ aspects: ids, topics: ids, services: ids, problems: ids })
    .describe('Vocabulary ids; a review that mentions one of them is evidence.'),
});

export interface FaqEntry extends z.infer<typeof faqFrontMatter> {
  id: string;
  /** Markdown. */
  answer: string;
}
