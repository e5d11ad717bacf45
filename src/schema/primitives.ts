import { z } from 'zod';
import { codePointName, invisibleCharacters } from './invisible.ts';

/** A calendar day that exists, `YYYY-MM-DD` (ISO 8601); 2026-02-30 is refused. */
export const calendarDate = z.iso
  .date('must be a calendar day, YYYY-MM-DD')
  .meta({ examples: ['2026-05-14'] });

/** An instant in UTC with seconds, `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339). */
export const instant = z.iso.datetime({ precision: 0, error: 'must be an RFC 3339 time in UTC' });

/** A calendar month, `YYYY-MM`. */
export const calendarMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM');

/** A ULID: 26 characters of Crockford's base 32, time first. */
export const ulid = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID (26 characters, Crockford base 32)');

/** Returns the ULID in what people paste for one: the address of a review, or its letters in lower case. */
export function pastedId(text: string): string {
  return /[0-7][0-9A-HJKMNP-TV-Z]{25}/i.exec(text)?.[0].toUpperCase() ?? text;
}

/** Lower-case words joined by hyphens; stable, used in URLs. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens');

/** Makes a {@link slug} of a name: `Booking.com` → `booking-com`, `Málaga` → `malaga`. */
export function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** An absolute link that a browser opens; any other scheme is refused. */
export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) link' });

const LINK_MAX_LENGTH = 2048;

/** A link in a review, so short that it adds little to an answer about the review. */
export const reviewLink = webUrl.refine(
  (link) => encodeURI(link.toWellFormed()).replaceAll('%25', '%').length <= LINK_MAX_LENGTH,
  'must be at most 2,048 characters, percent-encoded',
);

/** Google's limit for a review is 4,096 characters; a longer text than this is no review. */
const TEXT_MAX_LENGTH = 20_000;
/** UAX #15, section 13 (Stream-Safe Text Format): no language needs more in a row. */
const TOO_MANY_MARKS = /\p{M}{31}/u;

const visible = z
  .string()
  .max(TEXT_MAX_LENGTH, 'must be at most 20,000 characters')
  .refine((value) => value.isWellFormed(), 'has half of a surrogate pair')
  .refine((value) => invisibleCharacters(value).length === 0, {
    error: ({ input }) => {
      const { index, character } = invisibleCharacters(input as string)[0]!;
      return `has the invisible character ${codePointName(character)} at character ${index + 1}: delete it`;
    },
  })
  .refine((value) => !TOO_MANY_MARKS.test(value), 'has over 30 combining marks in a row');

/**
 * Text of 1 to 20,000 characters without hidden ones. Lone surrogates are refused because they have
 * no UTF-8 form, long rows of combining marks because normalizing them takes quadratic time.
 */
export const text = visible.refine((value) => value.trim() !== '', 'must not be empty');

/** Like {@link text}, but optional. */
export const optionalText = visible.refine(
  (value) => value.trim() !== '',
  'must not be empty: leave it out, or write null',
);

/** A BCP 47 language tag such as `en` or `es-MX`. */
export const language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 language tag');

const STARS = 'must be a whole number from 1 to 5';
export const stars = z.int(STARS).min(1, STARS).max(5, STARS);

/** A percentage with one decimal. */
export const percentage = z.number().min(0).max(100);

export const count = z.int().min(0);
