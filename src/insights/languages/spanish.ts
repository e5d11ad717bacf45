import type { Grammar } from './grammar.ts';

/** The grammar of Spanish. */
export const spanishGrammar: Grammar = {
  // Many writers leave out the accents, never the tilde of ñ.
  fold: (word) =>
    word
      .normalize('NFD')
      .replaceAll(/[\u0300\u0301\u0308]/g, '')
      .normalize('NFC'),
  negates: () => false,
  isAdverb: (word) => /.mente$/.test(word),
  isPast: () => false,
  inflect,
  otherNumber,
  verbForms: (verb) => [verb],
  stem: (word) => word.replace(/(?<=...)(?:isim)?[oae]?s?$/, ''),
};

/** Returns the genders and numbers of an adjective, with its superlative and its adverb. */
function inflect(word: string): string[] {
  if (/[sáéíóú]$|\s/.test(word)) return [word];
  const base = word.replace(/[oe]$/, '');
  const ends = word.endsWith('o')
    ? ['o', 'a', 'os', 'as']
    : base === word
      ? ['', 'es']
      : ['e', 'es'];
  const superlatives = ['ísimo', 'ísima', 'ísimos', 'ísimas'];
  const adverb = word.endsWith('o') ? `${base}amente` : `${word}mente`;
  return [...[...ends, ...superlatives].map((end) => base + end), adverb];
}

function otherNumber(noun: string): string {
  if (/[^aeiouáéíóú]es$/.test(noun)) return noun.slice(0, -2);
  if (noun.endsWith('s')) return noun.slice(0, -1);
  return /[aeiouáéó]$/.test(noun) ? `${noun}s` : `${noun}es`;
}
