import type { Sentiment } from '../../schema/insights.ts';
import { isSameMatter } from './phrase-words.ts';

/** A verbatim piece of a review in which an aspect and an opinion meet. */
export interface Phrase {
  aspect: string;
  sentiment: Sentiment;
  /** As written. */
  text: string;
  /** The same for every wording of the phrase. */
  key: string;
  /** Index of its first word. */
  at: number;
}

/** With so many said more than once, those said only once are left out. */
const ENOUGH_REPEATED = 3;

/**
 * The most frequent phrases, each in its most frequent wording; of two where one says no more
 * than the other, the more frequent.
 */
export function topPhrases(
  phrases: readonly Pick<Phrase, 'key' | 'text'>[],
  limit: number,
): string[] {
  const byKey = new Map<string, Map<string, number>>();
  for (const { key, text } of phrases) {
    const wordings = byKey.get(key) ?? new Map<string, number>();
    wordings.set(text, (wordings.get(text) ?? 0) + 1);
    byKey.set(key, wordings);
  }
  const ranked = [...byKey]
    .map(([key, wordings]) => ({
      key,
      count: [...wordings.values()].reduce((sum, count) => sum + count, 0),
      text: commonest(wordings),
    }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
  const repeated = ranked.filter(({ count }) => count > 1).length;
  const chosen: typeof ranked = [];
  for (const phrase of ranked) {
    if (chosen.length === limit || (phrase.count === 1 && repeated >= ENOUGH_REPEATED)) break;
    if (!chosen.some(({ key }) => isSameMatter(key, phrase.key))) chosen.push(phrase);
  }
  return chosen.map(({ text }) => text);
}

/** Of wordings as frequent, the one with the fewest capitals. */
function commonest(wordings: ReadonlyMap<string, number>): string {
  const capitals = (text: string) => text.replaceAll(/[^\p{Lu}]/gu, '').length;
  const [[text]] = [...wordings].sort(
    (a, b) => b[1] - a[1] || capitals(a[0]) - capitals(b[0]) || (a[0] < b[0] ? -1 : 1),
  ) as [[string, number]];
  return text;
}
