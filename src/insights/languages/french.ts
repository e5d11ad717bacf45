import type { Grammar } from './grammar.ts';

/** The grammar of French. */
export const frenchGrammar: Grammar = {
  fold,
  negates: () => false,
  isAdverb: (word) => /.ment$/.test(word),
  isPast: () => false,
  inflect,
  otherNumber,
  verbForms: (verb) => [verb],
  stem: (word) =>
    word
      .replace(/(?<=...)e?s?$/, '')
      .replace(/(?<=..)ux$/, 'us')
      .replace(/([ln])\1$/, '$1'),
};

/** Words elided before a vowel, which are no part of the next; `s'il` and `s'ils` are an if. */
const ELIDED = /^(?:(?:[cdjlmnt]|jusqu|lorsqu|puisqu|qu)'|s'(?!ils?$))(?=.)/;

/** Many writers leave out the accents, and `maïs` without its own would be a but. */
function fold(word: string): string {
  const own = word.replace(ELIDED, '').replaceAll('œ', 'oe');
  return own === 'maïs' ? own : own.normalize('NFD').replaceAll(/[\u0300-\u0308\u0327]/g, '');
}

/** Returns the genders and numbers of an adjective, with its adverb. */
function inflect(word: string): string[] {
  if (/\s/.test(word)) return [word];
  const feminine = feminineOf(word);
  const plural = word.replace(/al$/, 'aux').replace(/(?<![sxz])$/, 's');
  const adverb = `${/[éi]$/.test(word) ? word : feminine}ment`;
  return [word, plural, feminine, `${feminine}s`, adverb.replace(/ntement$/, 'mment')];
}

function feminineOf(word: string): string {
  if (word.endsWith('e')) return word;
  if (word.endsWith('eux')) return word.replace(/x$/, 'se');
  if (word.endsWith('if')) return word.replace(/f$/, 've');
  if (word.endsWith('er')) return word.replace(/er$/, 'ère');
  return /(?:ei?l|en|on)$/.test(word) ? `${word}${word.at(-1)}e` : `${word}e`;
}

function otherNumber(noun: string): string {
  if (noun.endsWith('eau')) return `${noun}x`;
  if (noun.endsWith('eaux')) return noun.slice(0, -1);
  if (noun.endsWith('aux')) return `${noun.slice(0, -3)}al`;
  if (noun.endsWith('al')) return `${noun.slice(0, -1)}ux`;
  return /[sx]$/.test(noun) ? noun.slice(0, -1) : `${noun}s`;
}
