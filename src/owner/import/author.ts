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

/** Tells whether some setting of `author_display` turns the full name into this name. */
export function isDisplayOf(shown: string, name: string | undefined): boolean {
  return (['full', 'first-initial', 'initials'] as const).some(
    (display) => displayName(name, display) === shown,
  );
}

function initial(word: string): string {
  const [letter = ''] = word.match(/\p{L}\p{M}*/u) ?? [...word];
  return `${letter.toUpperCase()}.`;
}
