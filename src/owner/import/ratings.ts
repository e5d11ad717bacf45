import type { Score } from '../../schema/score.ts';
import { LONGEST_VALUE, plainValue } from './plain-value.ts';

const STAR_WORDS = ['one', 'two', 'three', 'four', 'five'];
const NUMBER = String.raw`(\d+(?:[.,]\d+)?)(½?)`;
/** Stars and points; a number of anything else, such as reviews, is no rating. */
const UNIT =
  '(?:[★⭐*]|stars?|ster(?:ren|ne?n?)?|étoiles?|estrellas?|estrelas?|stell[ae]|stele|stjern\\p{L}*|stjärn\\p{L}*|tähte?ä?|gwiazd\\p{L}*|hvězd\\p{L}*|hviezd\\p{L}*|zvezd\\p{L}*|zvjezd\\p{L}*|csillag|yıldız|звезд\\p{L}*|звёзд\\p{L}*|зір\\p{L}*|αστέρια?|つ?星|つ|颗星|顆星|별점?|점|点|點|分|نجوم|نجمة|نجمات|כוכבים|sao|bintang|ดาว|स्टार|bubbles?|punkt\\p{L}*|points?|puntos?|pontos?|punti|punten|балл\\p{L}*)';
const OF =
  '(?:/|out of|of|von|de|sur|sobre|su|di|van|av|af|z|ze|od|din|из|із|από|من|מתוך|trên|dari|จาก)';
/** "4", "4,5/5", "4 von 5 Punkten", "Rated 4 stars out of 5", "5 star rating", "8/10 Good". */
const RATING = new RegExp(
  `^(?:rated |星 ?)?${NUMBER}(?:[ -]*${UNIT})?(?: *${OF} *${NUMBER}(?:[ -]*${UNIT})?(?: \\p{L}[\\p{L} ]*)?)?(?: rating)?$`,
  'iu',
);
/** "5つ星のうち4.0", "5 yıldız üzerinden 4": languages that say the best rating first. */
const BEST_FIRST = new RegExp(
  `^(?:별 ?)?${NUMBER} *(?:${UNIT}|개)? *(?:のうち|中|满分|만점에|중|üzerinden|में से) *${NUMBER} *(?:${UNIT}|개)?$`,
  'iu',
);
const GLYPHS = /^([★⭐🌟]{0,5})(½?)[☆✩]{0,5}(?: ?\((\d)\))?$/u;

/** Reads stars, from 1 to 5 and not yet rounded. Numbers of another scale are divided by it. */
export function parseRating(
  value: unknown,
  best: number,
  worst: Scale['worst'] = 1,
): number | undefined {
  const score = parseScore(value, { best, worst });
  return score && (score.value * 5) / score.best;
}

/** The best rating, and 0 if that is the worst one: on other scales programs write it for none. */
export interface Scale {
  best: number;
  worst: 0 | 1;
}

/** Reads a rating on its own scale, which is `scale` unless the value tells another best one. */
export function parseScore(value: unknown, scale: Scale): Score | undefined {
  const text = plainValue(value).toLowerCase();
  if (text.length > LONGEST_VALUE) return undefined;
  const word = STAR_WORDS.indexOf(text.replace(/[ -]stars?$/, ''));
  if (word !== -1) return { value: word + 1, best: 5 };
  const glyphs = GLYPHS.exec(text.replaceAll(/(?<=[★⭐🌟☆✩]) (?=[★⭐🌟☆✩½])/gu, ''));
  if (glyphs) return scoreOfGlyphs(glyphs);
  const percent = /^(\d+(?:[.,]\d+)?) ?%$/.exec(text);
  if (percent) return scoreOf(percent[1]!, '', '100', { best: 100, worst: 0 });
  const [, best, , number, half] = BEST_FIRST.exec(text) ?? [];
  if (best !== undefined) return scoreOf(number!, half!, best, scale);
  const [, alone, halfAlone, stated = String(scale.best)] = RATING.exec(text) ?? [];
  return alone === undefined ? undefined : scoreOf(alone, halfAlone!, stated, scale);
}

function scoreOfGlyphs([, filled = '', half, stated]: RegExpExecArray): Score | undefined {
  const stars = [...filled].length + (half === '½' ? 0.5 : 0);
  const isStated = stated === undefined || Number(stated) === stars;
  return stars >= 1 && stars <= 5 && isStated ? { value: stars, best: 5 } : undefined;
}

function scoreOf(
  number: string,
  half: string,
  stated: string,
  { worst }: Scale,
): Score | undefined {
  const value = numberIn(number) + (half === '½' ? 0.5 : 0);
  const best = numberIn(stated);
  return (value > 0 || worst === 0) && value <= best ? { value, best } : undefined;
}

/** Facebook has no stars: a recommendation is read as 5, advice against as 1. */
const RECOMMENDATIONS = new Map([
  ['positive', 5],
  ['negative', 1],
  ['true', 5],
  ['false', 1],
]);

export function parseRecommendation(value: unknown): Score | undefined {
  const stars = RECOMMENDATIONS.get(plainValue(value).toLowerCase());
  return stars === undefined ? undefined : { value: stars, best: 5 };
}

/** Reads a number with a decimal point or comma. */
export function numberIn(value: string): number {
  return Number(value.replace(',', '.'));
}
