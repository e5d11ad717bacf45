import type { PerReview, Sentiment } from '../../schema/insights.ts';
import type { Review } from '../../schema/review.ts';
import { isSameMatter, phraseKey } from '../analyze/phrase-key.ts';
import { starSentiment } from '../analyze/polarity.ts';
import { tokenize } from '../analyze/tokens.ts';
import { knownLanguage, UNREAD } from '../languages/languages.ts';

/** A phrase of a review, on the side of its aspect's label. */
export interface SidedPhrase {
  aspect: string;
  sentiment: Sentiment;
  text: string;
  /** The key that all its wordings share. */
  key: string;
  topics: readonly string[];
}

/**
 * Returns the phrases of each review that take a side. A phrase is left out if its opinion word has
 * no side in most of the reviews that use it: the label is neutral, or a review of one or two stars
 * would praise.
 */
export function sidedPhrases(
  reviews: readonly Pick<Review, 'id' | 'rating' | 'language'>[],
  labels: Readonly<Record<string, PerReview>>,
): ReadonlyMap<string, SidedPhrase[]> {
  const uses = new Map<string, { sided: number; other: number }>();
  const found = reviews.map(({ id, rating, language: tag }) => {
    const language = knownLanguage(tag) ?? UNREAD;
    const { aspects, quoted = aspects, phrases } = labels[id]!;
    const sideOf = new Map(quoted.map((label) => [label.id, label.sentiment]));
    const sided = phrases.map((phrase) => {
      const sentiment = sideOf.get(phrase.aspect) ?? 'neutral';
      const contradicts = sentiment === 'positive' && starSentiment(rating) === 'negative';
      const use = uses.get(phrase.opinion) ?? { sided: 0, other: 0 };
      if (sentiment === 'neutral' || contradicts) use.other++;
      else use.sided++;
      uses.set(phrase.opinion, use);
      return { ...phrase, sentiment, key: phraseKey(tokenize(phrase.text, language), language) };
    });
    return { id, sided };
  });
  const takesSide = (opinion: string) => uses.get(opinion)!.sided >= uses.get(opinion)!.other;
  return new Map(
    found.map(({ id, sided }) => [
      id,
      sided.filter(({ sentiment, opinion }) => sentiment !== 'neutral' && takesSide(opinion)),
    ]),
  );
}

/** Phrases that occur once only fill up to this many. */
const ENOUGH = 3;

/**
 * Returns the most frequent phrases, each in its most frequent wording. If one phrase adds nothing
 * to another, only the more frequent is kept. Phrases in capitals come last; one of them that
 * occurs once is left out beside others.
 */
export function topPhrases(
  phrases: readonly Pick<SidedPhrase, 'text' | 'key'>[],
  limit: number,
): Pick<SidedPhrase, 'text' | 'key'>[] {
  const byKey = new Map<string, Map<string, number>>();
  for (const { text, key } of phrases) {
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
    .sort(
      (a, b) =>
        Number(shouts(a.text)) - Number(shouts(b.text)) ||
        b.count - a.count ||
        (a.key < b.key ? -1 : 1),
    );
  const chosen: typeof ranked = [];
  for (const phrase of ranked) {
    if (chosen.length === limit) break;
    const isDispensable = chosen.length >= ENOUGH || (chosen.length > 0 && shouts(phrase.text));
    if (phrase.count === 1 && isDispensable) break;
    if (!chosen.some(({ key }) => isSameMatter(key, phrase.key))) chosen.push(phrase);
  }
  return chosen;
}

/** Tells whether many letters of a text are capitals. Such texts are shown as written, but not first. */
export function shouts(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return letters > 3 && capitals * 3 >= letters;
}

/** Returns the most frequent wording; among equals, the one with the fewest capitals. */
function commonest(wordings: ReadonlyMap<string, number>): string {
  const capitals = (text: string) => text.replaceAll(/[^\p{Lu}]/gu, '').length;
  const [[text]] = [...wordings].sort(
    (a, b) => b[1] - a[1] || capitals(a[0]) - capitals(b[0]) || (a[0] < b[0] ? -1 : 1),
  ) as [[string, number]];
  return text;
}
