import { micromark } from 'micromark';
import type { Wording } from '../messages/wording.ts';
import type { Business } from '../schema/business.ts';

/** Returns the percentage of `part` in `total`; 0 if `total` is 0. */
export function shareOf(part: number, total: number): number {
  return total === 0 ? 0 : (100 * part) / total;
}

/** Formats the slug of a platform as a name: `better-homes` → `Better Homes`. */
export function sourceName(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => {
    return (dash === '' ? '' : ' ') + letter.toUpperCase();
  });
}

/** Returns the first letters of the first and the last word of a name: `Ada L.` → `AL`. */
export function initialsOf(name: string): string {
  const words = name.match(/\p{L}\p{M}*[^\s]*/gu) ?? [];
  return [words[0], ...words.slice(1).slice(-1)]
    .map((word) => /^\p{L}\p{M}*/u.exec(word ?? '')?.[0].toUpperCase() ?? '')
    .join('');
}

/** Returns the kind and place of a business: `Plumbing contractor · Alder Bay, ME`. */
export function kindAndPlace(
  { category, address }: Pick<Business, 'category' | 'address'>,
  { capitalized }: Wording,
): string {
  const place = [address?.city, address?.region].filter(Boolean).join(', ');
  return [capitalized(category), place].filter(Boolean).join(' · ');
}

/** The code of a country, of one to three digits (ITU-T E.164, annex D). */
const CALLING_CODE =
  /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d)/;

/** Formats an E.164 number for people (ITU-T E.123), in groups without line breaks: `+351 213 870 142`. */
export function phoneNumber(e164: string): string {
  const [code = ''] = CALLING_CODE.exec(e164) ?? [];
  const groups = e164.slice(code.length).match(/\d{3}(?=\d\d)|.+/g) ?? [];
  return [code, ...groups].filter(Boolean).join('\u00a0');
}

/** Countries that write the postal code behind the city. */
const CODE_LAST = new Set(['AU', 'BR', 'CA', 'GB', 'HK', 'IE', 'IN', 'NZ', 'SG', 'US', 'ZA']);

/** Returns an address as its country writes it, without the country. */
export function addressLines({
  street,
  city,
  region,
  postal_code: code,
  country,
}: NonNullable<Business['address']>): string[] {
  const isLast = country === null || CODE_LAST.has(country);
  const place = isLast
    ? [city, [region, code].filter(Boolean).join(' ')]
    : [[code, city].filter(Boolean).join(' '), region];
  return [street, place.filter(Boolean).join(', ')].filter((line) => line !== null);
}

/** Converts authored Markdown to HTML. HTML in it is shown as text, and only safe protocols become links. */
export function markdownToHtml(markdown: string): string {
  return micromark(markdown);
}
