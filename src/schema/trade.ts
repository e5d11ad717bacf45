import { z } from 'zod';
import { faqQuestion } from './faq.ts';
import { text } from './primitives.ts';
import { vocabulary } from './vocabulary.ts';

/** The trade packs, each a file of `src/content/packs`. */
export const PACKS = [
  'service',
  'home-services',
  'restaurant',
  'hotel',
  'medical',
  'professional',
  'car-repair',
  'salon',
] as const;
export const packName = z.enum(PACKS);
export type PackName = z.infer<typeof packName>;

/** The pack of a dataset that names none: any business that serves people. */
export const GENERAL_PACK: PackName = 'service';

const noun = z.strictObject({ singular: text, plural: text });

const words = {
  staff: noun.describe('One of the people who do the work, e.g. dentist, dentists.'),
  service: noun.describe('One piece of their work, e.g. treatment, treatments.'),
  search_placeholder: text.describe('Examples in the search box, e.g. leak, on time, price …'),
};

/** Nouns and examples that pages of a trade use, in lower case. */
export const tradeWords = z.strictObject(words);
export type TradeWords = z.infer<typeof tradeWords>;

/** `content/vocabulary/trade.json`. */
export const trade = tradeWords.partial().extend({
  $schema: z.string().optional(),
  extends: packName
    .optional()
    .describe('The trade pack that the other files of the vocabulary add to or override.'),
});
export type Trade = z.infer<typeof trade>;

/** A trade pack: the vocabulary that businesses of one trade have in common. */
export const tradePack = tradeWords.extend({
  staff_by_category: z
    .array(noun.extend({ categories: z.array(text) }))
    .default([])
    .describe('Other names for staff, by words in the category of the business.'),
  label: text.describe('The trade as people call it.'),
  categories: z.array(text).describe('Words in the category of a business that mean this trade.'),
  ...vocabulary.pick({ trade: true, aspects: true, topics: true, problems: true }).shape,
  lexicon: vocabulary.shape.lexicon.omit({ $schema: true }),
  faq: z.array(faqQuestion),
});
export type TradePack = z.infer<typeof tradePack>;

/** Data of the program that insights depend on. */
export interface Release {
  packs: readonly TradePack[];
  /** The table of weights of the polarity model. */
  weights: string;
}
