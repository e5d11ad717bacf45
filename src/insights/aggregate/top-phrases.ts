import type { Phrase } from '../analyze/find-phrases.ts';
import { isSameMatter } from '../analyze/phrase-key.ts';

/** Once this many phrases repeat, phrases that occur once are left out. */
const ENOUGH_REPEATED = 3;

/**
 * Returns the most frequent phrases, each in its most frequent wording. If one phrase adds nothing
 * to another, only the more frequent is kept.
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

/** Returns the most frequent wording; among equals, the one with the fewest capitals. */
function commonest(wordings: ReadonlyMap<string, number>): string {
  const capitals = (text: string) => text.replaceAll(/[^\p{Lu}]/gu, '').length;
  const [[text]] = [...wordings].sort(
    (a, b) => b[1] - a[1] || capitals(a[0]) - capitals(b[0]) || (a[0] < b[0] ? -1 : 1),
  ) as [[string, number]];
  return text;
}
