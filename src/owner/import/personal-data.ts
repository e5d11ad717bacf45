import type { BusinessRecord } from '../../schema/business.ts';

type PersonalData = 'phone number' | 'e-mail address' | 'street address' | 'name of the author';

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i;
/** Every phone number has them; the test is much faster than the one for the number. */
const DIGITS = /\d.{0,3}\d.{0,3}\d/;
/** Ten digits or more in groups, or seven after a plus; not dates, prices or order numbers. */
const PHONE =
  /(?<![\w$€£#.,])(?:\+\d(?:[ ().-]{0,2}\d){6,14}|\(\d{3}\)[ -]?\d{3}[ .-]\d{4}|\d{3}[-. ]\d{3}[-. ]\d{4}|0\d{2,4}[ /-]{1,3}\d{3,4}[ -]?\d{3,5})(?![\w%])/;
const STREET = [
  /(?<![\w$€£#.])\d{1,5}[a-z]? (?:[A-Z][\w'.-]+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Terrace|Circle|Highway|Hwy)\b/,
  /\p{Lu}\p{Ll}+(?:straße|strasse|str\.|weg|gasse|allee|platz) \d{1,4}[a-z]?\b/u,
  /(?<!\d)\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin) (?:de |du |des |la |le |l['’])*\p{Lu}/u,
  /\b(?:Calle|Avenida|Plaza|Via|Viale|Piazza) (?:de |del |la )*\p{Lu}[\p{L} ]*,? \d{1,4}\b/u,
];

/** Contacts of the business itself, which are no personal data. */
export type OwnContacts = Pick<BusinessRecord, 'phone' | 'email' | 'url' | 'address'>;

/**
 * Names the kinds of personal data that a text seems to have, so that a person can look.
 *
 * @param author a full name that the record does not show, and replies may address
 */
export function personalDataIn(
  text: string,
  author?: string,
  own: Partial<OwnContacts> = {},
): PersonalData[] {
  const found: PersonalData[] = [];
  if (author?.includes(' ') && text.toLowerCase().includes(author.toLowerCase()))
    found.push('name of the author');
  if (DIGITS.test(text) && others(text, PHONE, (match) => isOwnPhone(match, own)))
    found.push('phone number');
  if (text.includes('@') && others(text, EMAIL, (match) => isOwnEmail(match, own)))
    found.push('e-mail address');
  const street = own.address?.street?.toLowerCase();
  const isOwnStreet = (match: string) => street?.includes(match.toLowerCase()) ?? false;
  if (/\d/.test(text) && STREET.some((pattern) => others(text, pattern, isOwnStreet)))
    found.push('street address');
  return found;
}

/** Tells whether a text has a match that is not the business's own. */
function others(text: string, pattern: RegExp, isOwn: (match: string) => boolean): boolean {
  const matches = text.matchAll(new RegExp(pattern, `${pattern.flags}g`));
  return matches.some(([match]) => !isOwn(match));
}

/** The digits after a country's prefix or a trunk zero are the same however it is written. */
const NATIONAL_DIGITS = 7;

function isOwnPhone(match: string, { phone }: Partial<OwnContacts>): boolean {
  const digits = match.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= NATIONAL_DIGITS && (phone?.endsWith(digits) ?? false);
}

function isOwnEmail(match: string, { email, url }: Partial<OwnContacts>): boolean {
  const [address, host] = [match.toLowerCase(), URL.parse(url ?? '')?.hostname];
  if (address === email?.toLowerCase()) return true;
  return host !== undefined && address.endsWith(`@${host.replace(/^www\./, '')}`);
}
