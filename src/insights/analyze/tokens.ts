import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';

/** A word of a text with its position. */
export interface Token {
  /** As written. */
  text: string;
  /** NFC, lower case, straight apostrophes, without a possessive ’s, spelled as its language folds it. */
  lower: string;
  /** Offsets into the text, end exclusive. */
  start: number;
  end: number;
  /** The words that hyphens join; undefined for a plain word. */
  parts: readonly string[] | undefined;
  /** The text between the previous word and this one. */
  gap: string;
  /** True for the first word of a sentence, a line or the text. */
  startsSentence: boolean;
}

const LETTER = '[\\p{L}\\p{N}\\p{M}]';
/** Exports often lose an apostrophe: `wasn t`. */
const LOST_APOSTROPHE =
  '(?i: t(?<=\\b(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)n t)' +
  `(?!['’-]?${LETTER}))?`;
/** Matches numbers with their marks (2,290 and 24/7), single letters joined (a.m, A/C), addresses, words. */
const WORD = new RegExp(
  [
    `\\p{N}+(?:[.,:/]\\p{N}+)+${LETTER}*`,
    `(?<!${LETTER})\\p{L}(?:[./&]\\p{L}(?!${LETTER}))+`,
    `${LETTER}+\\.(?:com|net|org)(?!${LETTER})`,
    `${LETTER}+(?:['’-]${LETTER}+)*${LOST_APOSTROPHE}`,
  ].join('|'),
  'gu',
);
/** Already in lower form. */
const PLAIN = /^[a-z]+$/;
const POSSESSIVE = /'s$/;
const SENTENCE_END = /[.!?…\n]/;
/**
 * A full stop after them and before a small letter ends no sentence: `7 a.m. on Sunday`, `Will H.
 * came`.
 */
const ABBREVIATED = /^\p{L}(?:\.\p{L})*$/u;

/** Splits a text into words, whose lower form is spelled as the language has it. */
export function tokenize(text: string, language: Language = ENGLISH): Token[] {
  const { fold } = language.grammar;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const after = start + match[0].length;
    const word = text.slice(start, after);
    const gap = text.slice(end, start);
    const lower = fold(lowerForm(word));
    tokens.push({
      text: word,
      lower,
      parts: lower.includes('-') ? lower.split('-') : undefined,
      start,
      end: after,
      gap,
      startsSentence: tokens.length === 0 || isSentenceEnd(tokens.at(-1)!, gap, word, language),
    });
    end = after;
  }
  return tokens;
}

function isSentenceEnd(before: Token, gap: string, word: string, { titles }: Language): boolean {
  if (gap === ' ' || !SENTENCE_END.test(gap)) return false;
  if (!/^\.[,)]? ?$/.test(gap)) return true;
  if (titles.has(before.lower)) return false;
  return !(ABBREVIATED.test(before.text) && /^\p{Ll}/u.test(word));
}

function lowerForm(word: string): string {
  if (PLAIN.test(word)) return word;
  return word
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’ ]/g, "'")
    .replace(POSSESSIVE, '');
}
