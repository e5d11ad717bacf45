import type { Grammar } from './grammar.ts';

/** The grammar of German. */
export const germanGrammar: Grammar = {
  fold,
  negates: () => false,
  isAdverb: () => false,
  isPast: () => false,
  inflect: (word) => [word],
  otherNumber: (noun) => noun,
  verbForms: (verb) => [verb],
  stem: (word) => word,
};

const ENDING = /(?<=....)(?:st(?:e[mnrs]?)?|e[mnrs]?|n|s)$/;

/**
 * Takes off all endings of number, case and degree: the forms of an adjective or noun share the rest,
 * `freundlicheren` and `freundlich`.
 */
function fold(word: string): string {
  const plain = word.replaceAll('ß', 'ss');
  const shorter = plain.replace(ENDING, '');
  return shorter === plain ? plain : fold(shorter);
}
