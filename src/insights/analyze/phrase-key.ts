import { isContent, isNegation } from '../words.ts';
import type { Token } from './tokens.ts';

/**
 * Returns a key that all wordings of a phrase share: its content words without order, number and
 * tense. `every penny`, `every cent` and `every bit` have the same key.
 */
export function phraseKey(tokens: readonly Token[]): string {
  const content = tokens
    .filter(({ lower }, index) => isContent(lower) && tokens[index - 1]?.lower !== 'every')
    .map(({ lower }) => stem(lower));
  if (tokens.some(({ lower }) => isNegation(lower))) content.push(NOT);
  return [...new Set(content)].sort().join(' ');
}

const NOT = '!';

/**
 * Tells whether one phrase adds nothing to the other: `great service`, `great customer service`.
 */
export function isSameMatter(a: string, b: string): boolean {
  const [less, more] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length);
  if (less!.includes(NOT) !== more!.includes(NOT)) return false;
  return less!.every((word) => more!.includes(word));
}

const VOWEL = /[aeiou]/;

/**
 * Returns what the forms of a word share, so that `claims were denied` matches `deny the claim`.
 */
export function stem(word: string): string {
  let base = word;
  if (base.length > 4) base = base.replace(/ably$/, 'able').replace(/([^aeiou])ily$/, '$1y');
  if (base.length > 5) base = base.replace(/ly$/, '');
  if (/[^aeiou]ie(?:s|d)$/.test(base)) return `${base.slice(0, -3)}y`;
  if (/[^sui]s$/.test(base) && base.length > 3) base = base.slice(0, -1);
  const root = base.replace(/(?:ed|ing)$/, '');
  if (root !== base && root.length > 2 && VOWEL.test(root)) base = root;
  if (/([^aeiousl])\1$/.test(base)) base = base.slice(0, -1);
  return base.replace(/(?<=..)e$/, '');
}
