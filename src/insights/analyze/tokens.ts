import { TITLES } from '../words.ts';

/** A word of a text with its position. */
export interface Token {
  /** As written. */
  text: string;
  /** NFC, lower case, straight apostrophes, without a possessive ’s. */
  lower: string;
  /** A number below {@link KEYS} that depends only on `lower`; equal words have equal keys. */
  key: number;
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
/** Numbers with their marks (2,290 and 24/7), single letters joined (a.m, A/C), addresses, words. */
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

/** Splits a text into words. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    const gap = text.slice(end, match.index);
    const lower = lowerForm(word);
    tokens.push({
      text: word,
      lower,
      key: keyOf(lower),
      parts: lower.includes('-') ? lower.split('-') : undefined,
      start: match.index,
      end: match.index + word.length,
      gap,
      startsSentence: tokens.length === 0 || isSentenceEnd(tokens.at(-1)!, gap, word),
    });
    end = match.index + word.length;
  }
  return tokens;
}

/** Keys of words are smaller. */
export const KEYS = 1 << 13;

/** Returns the key of a word in lower form: much cheaper to look up than the word. */
export function keyOf(lower: string): number {
  const last = lower.length - 1;
  const middle = lower.charCodeAt(last >> 1);
  const ends = lower.charCodeAt(0) * 31 + lower.charCodeAt(last) * 131;
  return (ends + middle * 977 + last * 5471) & (KEYS - 1);
}

function isSentenceEnd(before: Token, gap: string, word: string): boolean {
  if (!SENTENCE_END.test(gap)) return false;
  if (!/^\.[,)]? ?$/.test(gap)) return true;
  if (TITLES.has(before.lower)) return false;
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
