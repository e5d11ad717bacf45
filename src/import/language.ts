import { eld } from 'eld/extrasmall';

/** More text takes more time and changes no result. */
const ENOUGH_CHARACTERS = 300;
/** Most texts are in the expected language, and show it this early. */
const FIRST_CHARACTERS = 60;
/** Below this many letters a guess has too little to go by. */
const LETTERS_FOR_CERTAINTY = 60;
/** So close to the best score, a short text is taken to be in the expected language. */
const MARGIN = 0.12;

/**
 * Detects the language of a text as a BCP 47 tag. Short texts are like several languages at once
 * ("Excellent service" is nearly French), so the expected one is returned unless another is clearly
 * ahead.
 */
export function detectLanguage(text: string, expected: string): string {
  const first = eld.detect(text.slice(0, FIRST_CHARACTERS));
  if (first.language === expected && first.isReliable()) return expected;
  const result = eld.detect(text.slice(0, ENOUGH_CHARACTERS));
  if (!result.isReliable() || result.language === '') return byScript(text) ?? expected;
  const letters = text.slice(0, ENOUGH_CHARACTERS).match(/\p{L}/gu)?.length ?? 0;
  if (letters >= LETTERS_FOR_CERTAINTY) return result.language;
  const { [result.language]: best = 0, [expected]: near = 0 } = result.getScores();
  return best - near < MARGIN ? expected : result.language;
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
