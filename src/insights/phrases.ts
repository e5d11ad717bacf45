import type { Sentiment } from '../schema/insights.ts';
import type { AspectHit } from './aspect-finder.ts';
import { around, type ReadText } from './read-text.ts';

/** A verbatim piece of a review in which an aspect and an opinion meet. */
export interface Phrase {
  aspect: string;
  sentiment: Sentiment;
  /** As written. */
  text: string;
  /** The same for every spelling of the phrase. */
  key: string;
}

const MIN_WORDS = 2;
const MAX_WORDS = 5;
/** The phrases of one text: for each aspect, what stands between it and the nearest opinion. */
export function findPhrases(
  text: ReadText,
  hits: readonly AspectHit[],
  sentimentOf: (aspect: string) => Sentiment,
): Phrase[] {
  const found = new Map<string, Phrase>();
  for (const hit of hits) {
    const phrase = phraseAround(text, hit, sentimentOf(hit.aspect));
    if (phrase) found.set(`${phrase.aspect} ${phrase.key}`, phrase);
  }
  return [...found.values()];
}

function phraseAround(text: ReadText, hit: AspectHit, sentiment: Sentiment): Phrase | undefined {
  const [clauseFirst, clauseLast] = around(text, hit.at, 'clause');
  const agreeing = text.opinions.filter(
    ({ at, score }) =>
      at >= clauseFirst && at <= clauseLast && score > 0 === (sentiment === 'positive'),
  );
  if (sentiment === 'neutral' || agreeing.length === 0) return undefined;
  const nearest = agreeing.reduce((best, opinion) =>
    Math.abs(opinion.at - hit.at) < Math.abs(best.at - hit.at) ? opinion : best,
  );
  const first = Math.min(hit.at, nearest.from);
  const last = Math.max(hit.at + hit.length, nearest.at + nearest.length) - 1;
  const tokens = text.tokens.slice(first, last + 1);
  if (tokens.length < MIN_WORDS || tokens.length > MAX_WORDS) return undefined;
  return {
    aspect: hit.aspect,
    sentiment,
    text: text.text.slice(tokens[0]!.start, tokens.at(-1)!.end),
    key: tokens.map(({ lower }) => lower).join(' '),
  };
}

/** The most frequent phrases, each in its most frequent spelling. */
export function topPhrases(phrases: readonly Phrase[], limit: number): string[] {
  const byKey = new Map<string, Map<string, number>>();
  for (const { key, text } of phrases) {
    const spellings = byKey.get(key) ?? new Map<string, number>();
    spellings.set(text, (spellings.get(text) ?? 0) + 1);
    byKey.set(key, spellings);
  }
  return [...byKey]
    .map(([key, spellings]) => ({
      key,
      count: [...spellings.values()].reduce((sum, count) => sum + count, 0),
      text: [...spellings].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]![0],
    }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, limit)
    .map(({ text }) => text);
}
