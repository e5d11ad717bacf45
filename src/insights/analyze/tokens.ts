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
export const WORD = new RegExp(
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
  for (let start = wordStart(text, 0); start >= 0; start = wordStart(text, end)) {
    const plainEnd = endOfPlain(text, start);
    let after = plainEnd;
    if (plainEnd === 0) {
      WORD.lastIndex = start;
      const match = WORD.exec(text);
      if (!match) break;
      start = match.index;
      after = start + match[0].length;
    }
    const word = text.slice(start, after);
    const gap = text.slice(end, start);
    const lower = plainEnd === 0 ? fold(lowerForm(word)) : word.toLowerCase();
    tokens.push({
      text: word,
      lower,
      parts: plainEnd === 0 && lower.includes('-') ? lower.split('-') : undefined,
      start,
      end: after,
      gap,
      startsSentence: tokens.length === 0 || isSentenceEnd(tokens.at(-1)!, gap, word, language),
    });
    end = after;
  }
  return tokens;
}

const [SPACE, STOP, SMALL_A, SMALL_N, SMALL_T, SMALL_Z] = [32, 46, 97, 110, 116, 122];
/** Sets the bit that small letters have. */
const SMALL = 32;
/** Marks that end a word whatever follows them. */
const ENDS = new Set([...' ,!?;:)"\n'].map((mark) => mark.charCodeAt(0)));

/** Returns where a word may start at or after an index; -1 if none does. */
function wordStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isAsciiLetter(code) || (code >= 48 && code <= 57) || code > 127) return at;
  }
  return -1;
}

/**
 * Returns the end of a word of plain letters, which most are; 0 if only {@link WORD} can tell, or if an
 * apostrophe may be lost: `didnt`, `didn t`.
 */
function endOfPlain(text: string, start: number): number {
  let end = start;
  while (isAsciiLetter(text.charCodeAt(end))) end++;
  if (end === start) return 0;
  const mark = text.charCodeAt(end);
  const next = text.charCodeAt(end + 1);
  if (mark === STOP) return end + 1 === text.length || next === SPACE ? end : 0;
  if (end < text.length && !ENDS.has(mark)) return 0;
  const last = text.charCodeAt(end - 1) | SMALL;
  const mayLack =
    last === SMALL_T
      ? (text.charCodeAt(end - 2) | SMALL) === SMALL_N
      : last === SMALL_N && mark === SPACE && (next | SMALL) === SMALL_T;
  return mayLack ? 0 : end;
}

function isAsciiLetter(code: number): boolean {
  const small = code | SMALL;
  return small >= SMALL_A && small <= SMALL_Z;
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
