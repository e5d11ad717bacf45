import type { Grammar } from './grammar.ts';

/** The grammar of Dutch. */
export const dutchGrammar: Grammar = {
  fold: (word) => word.normalize('NFD').replaceAll(/[\u0300-\u0308]/g, ''),
  negates: () => false,
  isAdverb: () => false,
  isPast: () => false,
  inflect: (word) => [word, inflected(word)],
  otherNumber: (noun) => (noun.endsWith('e') ? `${noun}s` : `${noun}en`),
  verbForms: (verb) => [verb],
  stem: (word) => word.replace(/(?<=...)e?[ns]?$/, ''),
};

/** Returns an adjective before its noun: `trage` of `traag`, `snelle` of `snel`. */
function inflected(word: string): string {
  if (/(?:aa|ee|oo|uu)[^aeiou]$/.test(word)) return `${word.slice(0, -2)}${word.at(-1)}e`;
  return /(?<![aeiou])[aeiou][fgklmnprst]$/.test(word) ? `${word}${word.at(-1)}e` : `${word}e`;
}
