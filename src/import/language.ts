import { eld } from 'eld/extrasmall';

/** More text takes more time and changes no result. */
const ENOUGH_CHARACTERS = 300;
/** Most texts are in the expected language, and show it this early. */
const FIRST_CHARACTERS = 60;
/** Up to this many letters, a text is in the expected language unless another is ahead by this much. */
const MARGINS = [
  { letters: 20, margin: 0.25 },
  { letters: 60, margin: 0.12 },
];

/**
 * Detects the language of a text as a BCP 47 tag. Short texts are like several languages at once
 * ("Excellent service" is nearly French), so the expected one is returned unless another is clearly
 * ahead.
 */
export function detectLanguage(text: string, expected: string): string {
  if (expected === 'en' && isPlainEnglish(text)) return expected;
  const first = eld.detect(text.slice(0, FIRST_CHARACTERS));
  if (first.language === expected && first.isReliable()) return expected;
  const result = eld.detect(text.slice(0, ENOUGH_CHARACTERS));
  if (!result.isReliable() || result.language === '') return byScript(text) ?? expected;
  const letters = text.slice(0, ENOUGH_CHARACTERS).match(/\p{L}/gu)?.length ?? 0;
  const margin = MARGINS.find((each) => letters < each.letters)?.margin;
  if (margin === undefined) return result.language;
  const { [result.language]: best = 0, [expected]: near = 0 } = result.getScores();
  return best - near < margin ? expected : result.language;
}

/** Enough to see two of the words below in four of five English texts. */
const OPENING_CHARACTERS = 120;
/** Frequent words of English that are words of few other languages. */
const ENGLISH = new Set(
  (
    'the and with this that they were have has had would very you your my our their there from ' +
    'which because been but not when what about could again always who how'
  ).split(' '),
);
const FOREIGN_LETTER = /[^\P{L}A-Za-z]/u;

/**
 * Tells whether a text begins with two of the most frequent English words and no foreign letter.
 * That is ten times as fast as detection. Of 29,000 sentences in 500 languages it takes none for
 * English that detection does not.
 */
function isPlainEnglish(text: string): boolean {
  const opening = text.slice(0, OPENING_CHARACTERS);
  if (FOREIGN_LETTER.test(opening)) return false;
  let first: string | undefined;
  for (const word of opening.toLowerCase().split(/[^a-z']+/)) {
    if (word === first || !ENGLISH.has(word)) continue;
    if (first !== undefined) return true;
    first = word;
  }
  return false;
}

/** Scripts that tell a language alone, or nearly so, for texts of a word or two. */
const SCRIPTS: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
];

function byScript(text: string): string | undefined {
  return SCRIPTS.find(([script]) => script.test(text))?.[1];
}
