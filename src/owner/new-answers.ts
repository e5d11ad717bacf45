import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { check, formatIssue } from '../content/issue.ts';
import { guessPack } from '../content/read-pack.ts';
import { logoIssue, type Logo } from '../content/read-logo.ts';
import { businessRecord, PAGE_LANGUAGES } from '../schema/business.ts';
import { slugOf } from '../schema/primitives.ts';
import { packName, PACKS } from '../schema/trade.ts';
import { countryCodeOf, languageSpokenIn, languageTagOf } from './names-of-codes.ts';

/** A fact about the business: a flag, or else a question at the terminal. */
interface Question {
  ask: string;
  isRequired?: true;
  propose?: (answers: { category?: string; country?: string }) => string | Promise<string>;
}

/** The EEA and the UK: their data protection law makes initials the better proposal. */
const INITIALS_PROPOSED = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

const QUESTIONS = {
  name: { ask: 'Name of the business', isRequired: true },
  category: { ask: 'Kind of business, e.g. plumbing contractor', isRequired: true },
  city: { ask: 'City it works in (may stay empty)' },
  country: { ask: 'Country, by its name or code; it needs the city (may stay empty)' },
  phone: { ask: 'Its phone number (may stay empty)' },
  website: { ask: 'Its website (may stay empty)' },
  google: { ask: 'The link to its page on Google Maps (may stay empty)' },
  logo: { ask: 'Its logo, a square SVG or PNG file (may stay empty)' },
  solicitation: {
    ask: 'Who was asked for a review: nobody, everyone or some; and rewarded, insiders (may stay empty)',
  },
  trade: {
    ask: `Trade pack: ${PACKS.join(', ')}`,
    propose: ({ category }) => guessPack(category ?? ''),
  },
  'author-display': {
    ask: 'Names of authors: full, first-initial or initials',
    propose: ({ country }) => displayIn(country),
  },
  language: {
    ask: `Language of the pages: ${PAGE_LANGUAGES.join(', ')}`,
    propose: ({ country }) => languageIn(country),
  },
} satisfies Record<string, Question>;

export type NewField = keyof typeof QUESTIONS;
/** An empty answer says that there is nothing to say; `sidecar` is a letter: y or n. */
export type NewAnswers = Partial<Record<NewField | 'sidecar', string>>;

export const NEW_FIELDS = Object.entries<Question>(QUESTIONS) as [NewField, Question][];

/** Returns each issue that an answer would be in business.json, and a trade that is no pack. */
export function issuesOf(answers: NewAnswers): string[] {
  const { category, name, trade } = answers;
  const named = { ...answers, name: name || '?', category: category || '?' };
  const { issues } = check(businessRecord, businessOf(named));
  const found = (issues ?? []).map(({ path, ...issue }) =>
    formatIssue({ file: 'business.json', line: 0, field: path.join('.'), ...issue }),
  );
  if (trade && !packName.safeParse(trade).success) {
    found.push(`--trade: must be one of ${PACKS.join(', ')} (was ${JSON.stringify(trade)})`);
  }
  try {
    logoOf(answers);
  } catch (error) {
    found.push(`--logo: ${(error as Error).message}`);
  }
  return found;
}

/**
 * Returns the file of the logo; undefined without one.
 *
 * @throws if it cannot be read or published
 */
export function logoOf({ logo = '' }: NewAnswers): Logo | undefined {
  if (logo === '') return undefined;
  const type = extname(logo).toLowerCase() === '.png' ? 'png' : 'svg';
  const bytes = readFileSync(logo);
  const issue = logoIssue(type, bytes);
  if (issue) throw new Error(`${logo} ${issue}`);
  return { type, bytes };
}

/** Returns what business.json says. */
export function businessOf(answers: NewAnswers): object {
  const { name, category, city, website, phone, google, solicitation } = answers;
  const language = answers.language && (languageTagOf(answers.language) ?? answers.language);
  const country = answers.country && countryOf(answers.country);
  return {
    name,
    category,
    ...(website && { url: linkOf(website) }),
    ...(phone && { phone: internationalNumber(phone, country) }),
    ...((city || country) && {
      address: { city: city || undefined, country: country || undefined },
    }),
    ...(city && { service_areas: [areaOf(city).id] }),
    ...(google && { same_as: [linkOf(google)] }),
    ...(answers['author-display'] !== undefined && { author_display: answers['author-display'] }),
    ...(solicitation && { solicitation: solicitation.split(/[\s,]+/) }),
    ...(language && language !== 'en' && { language }),
    ...(/^n/i.test(answers.sidecar ?? '') && { sidecar: false }),
  };
}

/** Returns the area around a city, whose name may have no Latin letter: `دبي`. */
export function areaOf(city: string): { id: string; label: string } {
  return { id: slugOf(city) || 'city', label: city };
}

function linkOf(address: string): string {
  return /^https?:/.test(address) ? address : `https://${address}`;
}

/** Returns a number as E.164, if it is one; one without a prefix is dialed in this country. */
function internationalNumber(phone: string, country: string | undefined): string {
  const parsed = parsePhoneNumberFromString(phone, country as CountryCode | undefined);
  return parsed?.isPossible() ? parsed.number : phone;
}

/** Returns the code of a country, or the answer in capitals if it is no country. */
function countryOf(answer: string): string {
  return countryCodeOf(answer) ?? answer.toUpperCase();
}

/** Returns the language that customers in the country of a business read, of those that pages have. */
export function languageIn(country = ''): string {
  const code = countryOf(country);
  const spoken = /^[A-Z]{2}$/.test(code) ? languageSpokenIn(code) : 'en';
  return PAGE_LANGUAGES.find((language) => language === spoken) ?? 'en';
}

/** Returns how the names of authors are best shown in a country. */
export function displayIn(country = ''): 'full' | 'initials' {
  return INITIALS_PROPOSED.has(countryOf(country)) ? 'initials' : 'full';
}
