import { z } from 'zod';
import { slug, text } from './primitives.ts';

const ids = z.array(z.string()).default([]);

/** Front matter of `content/faq/<id>.md`; the answer is the Markdown below it. */
export const faqFrontMatter = z.strictObject({
  question: text,
  evidence: z
    .strictObject({ aspects: ids, topics: ids, services: ids, problems: ids })
    .describe('Vocabulary ids; a review that mentions one of them is evidence.'),
});

/** A question of a trade pack, which the counts of the reviews answer. */
export const faqQuestion = faqFrontMatter.extend({ id: slug });

export interface FaqEntry extends z.infer<typeof faqQuestion> {
  /** Markdown; null for a question that only counts and quotes answer. */
  answer: string | null;
}
