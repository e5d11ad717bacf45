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

/** Formats an E.164 number for people (ITU-T E.123): North American ones in their usual groups, without line breaks. */
export function phoneNumber(e164: string): string {
  return e164.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1\u00a0$1\u00a0$2\u00a0$3');
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

/**
 * Converts authored Markdown to HTML. HTML in it is shown as text, and only safe protocols become
 * links.
 */
export function markdownToHtml(markdown: string): string {
  return micromark(markdown);
}
