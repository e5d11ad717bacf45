import type { BusinessRecord } from '../../schema/business.ts';
import { ANONYMOUS } from '../../schema/review.ts';

export type AuthorDisplay = BusinessRecord['author_display'];

/** Names that platforms give to anonymous authors; these are not shortened. */
const NOBODY = /^(anonymous|a google user|google user|consumer|customer|guest)$/i;
const HONORIFIC = /^(dr|mr|mrs|ms|prof|herr|frau)\.?$/i;
/** Scripts that write a full name as one word. */
const ONE_WORD =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Writes a name the way business.json asks for: as given, `Ada L.`, or `A. L.` */
export function displayName(name: string | undefined, display: AuthorDisplay): string {
  if (name === undefined) return ANONYMOUS;
  const words = name.split(/\s+/).filter((word) => !HONORIFIC.test(word));
  const [first, ...rest] = words;
  if (display === 'full' || NOBODY.test(name) || first === undefined) return name;
  const last = rest.at(-1);
  const isWhole = display === 'first-initial' && !first.includes('@') && !ONE_WORD.test(first);
  const given = isWhole ? first : initial(first);
  return last === undefined ? given : `${given} ${initial(last)}`;
}

/** Returns a name in all the ways in which some setting of `author_display` shows it. */
export function displaysOf(name: string | undefined): Set<string> {
  const settings = ['full', 'first-initial', 'initials'] as const;
  return new Set(settings.map((display) => displayName(name, display)));
}

/** Tells whether some setting of `author_display` turns the full name into this name. */
export function isDisplayOf(shown: string, name: string | undefined): boolean {
  return displaysOf(name).has(shown);
}

/** Tells whether a name is one that a platform gives to authors without a name. */
export function isNobody(name: string): boolean {
  return NOBODY.test(name);
}

function initial(word: string): string {
  const [letter = ''] = word.match(/\p{L}\p{M}*/u) ?? [...word];
  return `${letter.toUpperCase()}.`;
}
