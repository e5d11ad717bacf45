import { z } from 'zod';
import { verificationLevel } from './platforms.ts';
import {
  calendarDate,
  count,
  instant,
  language,
  reviewLink,
  slug,
  stars,
  optionalText,
  text,
  ulid,
  webUrl,
} from './primitives.ts';
import { score } from './score.ts';

/** The public answer of the business, dated before the review only if the review was edited. */
export const ownerReply = z.strictObject({
  text: text.describe('The reply, as published.'),
  date: calendarDate.nullable().describe('The day of the reply; null where its export tells none.'),
});

/** The author of a review whose export names none; pages leave it out. */
export const ANONYMOUS = 'Anonymous';

/** Random digits in the hashes of a review, so that nobody can guess its words or author from them. */
export const salt = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the 32 hex digits that a command of the program wrote');

/** The way in which a review came about, as its platform states it. */
export const reviewOrigin = z.enum(['organic', 'invited', 'incentivized']);
export type Origin = z.infer<typeof reviewOrigin>;

/** The boundary between the two parts of a text, where a form asks for praise and criticism apart. */
const criticismAt = count.describe(
  'If a form asked for praise and criticism apart: the position in text, in UTF-16 code units, at which the ' +
    'criticism begins, after the praise; 0 if all is criticism, the length of text if all is praise.',
);

const scoreAsGiven = score.describe(
  'The rating as its platform gave it, where that is not full stars of 5.',
);

/** Different attributes that a dataset may have: people choose from them, and a search knows all by name. */
export const MAX_ATTRIBUTES = 500;

const attributes = z
  .record(text, text)
  .describe('What an export says of the review besides, by column, if the owner keeps it.');

/** One line of `content/reviews/<year>.jsonl`. Defaults of omitted fields are in `src/dataset/publish.ts`. */
export const reviewRecord = z.strictObject({
  id: ulid.describe(
    'A ULID. Never reused, never changed, because permalinks and feeds depend on it.',
  ),
  author: text.describe('The name shown, as the author wrote it.'),
  author_avatar_url: reviewLink.nullish().describe('Link to a picture.'),
  rating: stars.describe('Stars, 1 to 5.'),
  score: scoreAsGiven.optional(),
  date: calendarDate.describe('The day the review was written.'),
  title: optionalText.nullish().describe('The headline, where the platform has one.'),
  text: optionalText
    .nullish()
    .describe('The full text; null or omitted for a rating without words.'),
  criticism_at: criticismAt.optional(),
  language: language.optional().describe('BCP 47; default en.'),
  source: slug.describe('The platform it was written on, e.g. google.'),
  source_id: text
    .optional()
    .describe(
      'The id the platform gave it, or `row:` and a hash of its row in an export without ids; `npm run import` writes it.',
    ),
  source_digest: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'must be the 16 hex digits that npm run import wrote')
    .optional()
    .describe(
      'Of rating, words and answer as last imported. An import replaces what a person edited here ' +
        'only once the platform has something new.',
    ),
  source_url: reviewLink.nullish().describe('The review on its platform.'),
  owner_reply: ownerReply.nullish().describe('The reply of the business.'),
  origin: reviewOrigin
    .optional()
    .describe('Written unasked, asked for by the business, or with an incentive.'),
  attributes: attributes.optional(),
  held_back: z
    .literal(true)
    .optional()
    .describe('The platform itself does not show it; then it is not verified here.'),
  verified: z.boolean().describe('Only true is published; other reviews are counted in coverage.'),
  salt: salt
    .optional()
    .describe('Random; is part of the hashes of the journal. Deleted with the review.'),
  updated_at: instant
    .optional()
    .describe('Last change of this record, UTC; default: midnight of its newest date.'),
});
export type ReviewRecord = z.infer<typeof reviewRecord>;

/** Vocabulary ids that a review mentions, sorted. */
export const mentions = z.strictObject({
  technicians: z.array(slug).describe('Ids of the technicians named in the text.'),
  services: z.array(slug).describe('Ids of the services named in the text.'),
});
export type ReviewMentions = z.infer<typeof mentions>;

/** One published review. Fields that are optional are absent where there is nothing to say. */
export const review = z
  .strictObject({
    id: ulid.describe('ULID; stable.'),
    author: z.string().describe('The name shown.'),
    author_avatar_url: webUrl.nullable(),
    rating: stars.describe('Whole stars, 1 to 5.'),
    score: scoreAsGiven.optional(),
    date: calendarDate.describe('The day it was written.'),
    title: z.string().nullable(),
    text: z.string().nullable().describe('The full text; null for a rating without words.'),
    criticism_at: criticismAt.optional(),
    language: language.describe('BCP 47 tag of the text.'),
    source: slug.describe('The platform it was written on.'),
    source_url: webUrl.nullable().describe('The review on its platform.'),
    owner_reply: ownerReply.nullable().describe('The reply of the business.'),
    origin: reviewOrigin
      .optional()
      .describe('Written unasked, asked for by the business, or with an incentive; only if known.'),
    attributes: attributes.optional(),
    verified: z.literal(true),
    updated_at: instant.describe('Last change of the record.'),
    salt: salt
      .optional()
      .describe('Random, part of its hash in the journal; deleted with the review.'),
    verification: verificationLevel.describe(
      'How it was checked that a customer wrote it: by a purchase, an account of the platform, or the owner’s statement.',
    ),
    url: webUrl.describe('Absolute permalink of the review on this site.'),
    mentions,
  })
  .meta({ title: 'Review', description: 'One published customer review.' });
export type Review = z.infer<typeof review>;
