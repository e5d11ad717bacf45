import { eld } from 'eld/extrasmall';
import { isPlainEnglish } from '../../view/plain-english.ts';

/** More text takes more time and changes no result. */
const ENOUGH_CHARACTERS = 300;
/** Up to this many letters, a text is in the expected language unless another is ahead by this much. */
const MARGINS = [
  { letters: 14, margin: 0.7 },
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
  const result = eld.detect(text.slice(0, ENOUGH_CHARACTERS));
  if (!result.isReliable() || result.language === '') {
    return SCRIPTS.find(([script]) => script.test(text))?.[1] ?? expected;
  }
  const letters = text.slice(0, ENOUGH_CHARACTERS).match(/\p{L}/gu)?.length ?? 0;
  const margin = MARGINS.find((each) => letters < each.letters)?.margin;
  if (margin === undefined) return result.language;
  const { [result.language]: best = 0, [expected]: near = 0 } = result.getScores();
  if (near === 0 && SCRIPTS.some(([script]) => script.test(text))) return result.language;
  return best - near < margin ? expected : result.language;
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
