import { micromark } from 'micromark';
import type { Business } from '../schema/business.ts';

/** Days and months in words. The locale is that of the pages; days have no time zone. */
const LOCALE = 'en-US';
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });

const day = inUtc({ year: 'numeric', month: 'long', day: 'numeric' });
const month = inUtc({ year: 'numeric', month: 'long' });
const monthAlone = inUtc({ month: 'long' });

/** `2026-05-14` → `May 14, 2026`. */
export function dayName(date: string): string {
  return day.format(new Date(date));
}

/** `2026-05` → `May 2026`. */
export function monthName(yearMonth: string): string {
  return month.format(new Date(yearMonth));
}

/** `2026-05` → `May`. */
export function monthOfYear(yearMonth: string): string {
  return monthAlone.format(new Date(yearMonth));
}

const grouped = new Intl.NumberFormat('en-US');

/** `1204` → `1,204`. */
export function figure(value: number): string {
  return grouped.format(value);
}

/** `counted(1, 'review')` → `1 review`; `counted(1204, 'review')` → `1,204 reviews`. */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Returns the percentage of `part` in `total`; 0 if `total` is 0. */
export function shareOf(part: number, total: number): number {
  return total === 0 ? 0 : (100 * part) / total;
}

/**
 * Formats a percentage without decimals, but never rounds a small share to 0% or a large one to
 * 100%.
 */
export function percent(share: number): string {
  if (share > 0 && share < 1) return '<1%';
  if (share > 99 && share < 100) return '>99%';
  return `${Math.round(share)}%`;
}

/** Formats the slug of a platform as a name: `better-homes` → `Better Homes`. */
export function sourceName(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => {
    return (dash === '' ? '' : ' ') + letter.toUpperCase();
  });
}

/** Returns the kind and place of a business: `Plumbing contractor · Alder Bay, ME`. */
export function kindAndPlace({
  category,
  address,
}: Pick<Business, 'category' | 'address'>): string {
  const place = [address?.city, address?.region].filter(Boolean).join(', ');
  return [capitalized(category), place].filter(Boolean).join(' · ');
}

/** `plumbing contractor` → `Plumbing contractor`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Formats an E.164 number for people: North American ones in their usual groups, without line
 * breaks.
 */
export function phoneNumber(e164: string): string {
  return e164.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1\u00a0$1\u2011$2\u2011$3');
}

/**
 * Converts authored Markdown to HTML. HTML in it is shown as text, and only safe protocols become
 * links.
 */
export function markdownToHtml(markdown: string): string {
  return micromark(markdown);
}
