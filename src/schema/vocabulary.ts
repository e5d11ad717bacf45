import { z } from 'zod';
import { slug, text } from './primitives.ts';

const id = slug.describe('Lower-case words with hyphens. It is in addresses: never change it.');
const label = text.describe('The name shown.');
const aliases = z.array(text).default([]).describe('Other words customers write for it.');
const exclude = z
  .array(text)
  .default([])
  .describe('Phrases in which a term means something else, e.g. duct tape.');
const forms = aliases.describe(
  'Other words customers write for it, in singular or plural. In "install … furnace" the dots ' +
    'stand for up to three words, and the verb for all its forms.',
);

export const technician = z.strictObject({
  id,
  name: text.describe('Full name, as published.'),
  aliases,
  ambiguous: z
    .array(text)
    .default([])
    .describe('Forms of the name that are also common words, e.g. Will.'),
});
export type Technician = z.infer<typeof technician>;

/** Lists of words that count only in reviews of one language, by its primary subtag. */
function languages<T extends z.ZodRawShape>(lists: T) {
  return z
    .record(z.string().regex(/^[a-z]{2,3}$/, 'must be a language, e.g. fr'), z.strictObject(lists))
    .default({})
    .describe('The same lists for reviews of one language: {"fr": …}. Other words count in all.');
}

export const term = z.strictObject({
  id,
  label,
  aliases: forms,
  exclude,
  languages: languages({ aliases: forms, exclude }),
});
export type Term = z.infer<typeof term>;

/** The id of the aspect that every vocabulary has: the business as a whole. */
export const OVERALL_ASPECT = 'overall';

const aspectForms = {
  terms: aliases.describe('Single words for the aspect.'),
  phrases: z
    .array(text)
    .default([])
    .describe(
      'Several words; `…` is up to three words, `#` a number, `$`, `£` or `€` a sum of money.',
    ),
  subjects: z
    .array(text)
    .default([])
    .describe('Words that count if their clause has an opinion and no term of another aspect.'),
  exclude,
};

export const aspectTerms = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z]+(_[a-z]+)*$/, 'must be lower-case words joined by underscores')
    .describe('Lower-case words with underscores. It is in addresses: never change it.'),
  label,
  ...aspectForms,
  languages: languages(aspectForms),
  yields_to: z.array(z.string()).default([]).describe('Aspects that win in the same clause.'),
});
export type AspectTerms = z.infer<typeof aspectTerms>;

const topicForms = {
  terms: aliases.describe('Words and phrases that belong to the topic.'),
  exclude,
};

export const topicTerms = z.strictObject({
  id,
  label,
  ...topicForms,
  languages: languages(topicForms),
  aspect_ids: z.array(z.string()).default([]).describe('Related aspects.'),
});

export type TopicTerms = z.infer<typeof topicTerms>;

const scores = z.record(z.string(), z.number().min(-5).max(5));

const lexiconScores = {
  words: scores.default({}).describe('Scores from -5 to 5 that override or extend AFINN-165.'),
  phrases: scores.default({}).describe('The same for several words, with …, # and $.'),
};

export const lexicon = z.strictObject({
  $schema: z.string().optional(),
  version: text.describe('Your own version of the list.'),
  ...lexiconScores,
  languages: languages(lexiconScores),
});
export type Lexicon = z.infer<typeof lexicon>;

const nouns = z.array(text);

/** Nouns for businesses and people of a trade, and verbs for their work; single words in lower case. */
export const tradeNouns = z.strictObject({
  businesses: nouns.describe('After "other" or "last" they are another business: salons, insurer.'),
  modifiers: nouns.describe('Words that may precede them: heating, dental.'),
  bystanders: nouns.describe('As the subject of a clause they are never the business: landlord.'),
  people: nouns.describe("Titles that a person's name may follow: nurse, waiter."),
  actions: nouns.describe('What only people do in this trade, in the past: installed, examined.'),
});
export type TradeNouns = z.infer<typeof tradeNouns>;

/** The words of a dataset, complete; `content/vocabulary/` has a file for each member. */
export const vocabulary = z.strictObject({
  technicians: z.array(technician),
  services: z.array(term),
  service_areas: z.array(term),
  problems: z.array(term),
  aspects: z.array(aspectTerms),
  topics: z.array(topicTerms),
  lexicon,
  trade: tradeNouns,
});
export type Vocabulary = z.infer<typeof vocabulary>;

/** Members that are lists of entries with ids. */
const { lexicon: _, trade: __, ...LISTS } = vocabulary.shape;
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** Makes a list whose entries may extend one of the trade's pack, and then leave out fields. */
function extending<T extends z.ZodRawShape>(entry: z.ZodObject<T>) {
  const omit = z.literal(true).optional().describe("Leaves out the pack's entry with this id.");
  return z.array(entry.partial().extend({ id: entry.shape.id!, omit }));
}

/** The schemas of the lists in `content/vocabulary/`, by the name of the file. */
export const vocabularyFiles: Record<string, z.ZodType> = Object.fromEntries(
  LIST_NAMES.map((name) => [listFile(name), extending(LISTS[name].element as z.ZodObject)]),
);

/** Returns the name of the file of a list: `service_areas` → `service-areas`. */
export function listFile(name: ListName): string {
  return name.replace('_', '-');
}
