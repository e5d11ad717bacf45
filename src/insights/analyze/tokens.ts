import { keptWith } from '../../base/kept.ts';
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
  /** The words that hyphens join, or that it is short for; undefined for a plain word. */
  parts: readonly string[] | undefined;
  /** The text between the previous word and this one. */
  gap: string;
  /** True for the first word of a sentence, a line or the text. */
  startsSentence: boolean;
}

const LETTER = '[\\p{L}\\p{N}\\p{M}]';
/** Emoji in a row are one word, called by the first. */
const EMOJI = '(?:[\\p{Emoji_Presentation}☹☺♥❤☠✌✔✖][\\uFE0F\\u200D\\p{Emoji_Modifier}]*)+';
/**
 * Matches numbers with their marks (2,290 and 24/7), single letters joined (a.m, A/C), addresses, words
 * and emoji.
 */
const wordPattern = keptWith(({ grammar: { lostApostrophe } }: Language): RegExp => {
  const lost = lostApostrophe ? `(?i:${lostApostrophe}(?!['’-]?${LETTER}))?` : '';
  const patterns = [
    `\\p{N}+(?:[.,:/]\\p{N}+)+${LETTER}*`,
    `(?<!${LETTER})\\p{L}(?:[./&]\\p{L}(?!${LETTER}))+`,
    `${LETTER}+\\.(?:com|net|org)(?!${LETTER})`,
    `${LETTER}+(?:['’-]${LETTER}+)*${lost}`,
    EMOJI,
  ];
  return new RegExp(patterns.join('|'), 'gu');
});
const STARTS_WITH_EMOJI = new RegExp(`^${EMOJI}`, 'u');
/** Already in lower form. */
const PLAIN = /^[a-z]+$/;
const POSSESSIVE = /'s$/;
const SENTENCE_END = /[.!?…\n]/;
/**
 * A full stop after them and before a small letter ends no sentence: `7 a.m. on Sunday`, `Will H.
 * came`.
 */
const ABBREVIATED = /^\p{L}(?:\.\p{L})*$/u;

/** Tells whether a word begins with a capital letter. */
export function isCapitalized({ text }: Pick<Token, 'text'>): boolean {
  return /^\p{Lu}/u.test(text);
}

/** Splits a text into words, whose lower form is spelled as the language has it. */
export function tokenize(text: string, language: Language = ENGLISH): Token[] {
  const { fold, partsOf } = language.grammar;
  const tokens: Token[] = [];
  let end = 0;
  let emojiEnds = false;
  for (const match of text.matchAll(wordPattern(language))) {
    const start = match.index;
    const after = start + match[0].length;
    const word = text.slice(start, after);
    const gap = text.slice(end, start);
    const isEmoji = STARTS_WITH_EMOJI.test(word);
    const lower = isEmoji ? String.fromCodePoint(word.codePointAt(0)!) : fold(lowerForm(word));
    const ends = tokens.length === 0 || isSentenceEnd(tokens.at(-1)!, gap, word, language);
    // An emoji belongs to the sentence before it, and ends it: `Great food. 😍 The staff …`.
    const startsSentence = isEmoji ? tokens.length === 0 || gap.includes('\n') : ends || emojiEnds;
    emojiEnds = isEmoji && (ends || emojiEnds || /[\p{Lu}\n]/u.test(text.charAt(after + 1)));
    tokens.push({
      text: word,
      lower,
      parts: lower.includes('-') ? lower.split('-') : partsOf?.(lower),
      start,
      end: after,
      gap,
      startsSentence,
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
