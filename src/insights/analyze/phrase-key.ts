import type { Language } from '../languages/language.ts';
import type { Token } from './tokens.ts';

/**
 * Returns a key that all wordings of a phrase share: its content words without order, number and tense.
 */
export function phraseKey(tokens: readonly Token[], language: Language): string {
  const content = tokens
    .filter(({ lower }) => language.isContent(lower))
    .map(({ lower }) => language.grammar.stem(lower));
  if (tokens.some(({ lower }) => language.negations.has(lower))) content.push(NOT);
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
