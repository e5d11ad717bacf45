import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { tokenize, type Token } from '../insights/analyze/tokens.ts';
import { tradeOf, type TradeSets } from '../insights/analyze/trade.ts';
import { ENGLISH } from '../insights/languages/languages.ts';
import { knownWords, MissingTally, type Missing } from './suggest-words.ts';

/** A name is listed if so many reviews use it like that of a person of the business, or one does and so many have it. */
const MIN_NAMED = { likeStaff: 2, anywhere: 3 };
const BEFORE_NAMES = new Set(['named', 'thank', 'thanks', 'asked']);
const NEIGHBOURS = 2;

/**
 * Returns names that reviews use like those of the business's people, for a person to check, with the number
 * of reviews that have them anywhere; none of them is matched. Words of the vocabulary, and those that some review writes in lower case, are left
 * out.
 */
export function suggestNames(reviews: readonly ReviewRecord[], vocabulary: Vocabulary): Missing[] {
  const texts = reviews.map(({ id, title, text }) => {
    const words = [title, text].filter((part) => part != null).join('\n');
    return { id, words, tokens: tokenize(words) };
  });
  const known = knownWords(vocabulary).union(ENGLISH.calendar).union(ENGLISH.thankedBeings);
  for (const { tokens } of texts) {
    for (const { text, lower } of tokens) if (text === lower) known.add(lower);
  }
  const trade = tradeOf(vocabulary.trade, ENGLISH);
  const names = new MissingTally();
  const having = new Map<string, Set<string>>();
  for (const { id, words, tokens } of texts) {
    for (const [at, { text, lower }] of tokens.entries()) {
      if (known.has(lower) || !/^\p{Lu}\p{Ll}+/u.test(text)) continue;
      const name = text.replace(/['’]s$/, '');
      const ids = having.get(name) ?? new Set();
      having.set(name, ids.add(id));
      if (!isUsedLikeStaff(tokens, at, trade)) continue;
      const first = tokens[Math.max(0, at - NEIGHBOURS)]!;
      const last = tokens[Math.min(tokens.length - 1, at + NEIGHBOURS)]!;
      names.add(name, id, () => words.slice(first.start, last.end));
    }
  }
  const countOf = (name: string) => having.get(name)!.size;
  return names
    .frequent(1)
    .filter(
      ({ text, reviews }) => reviews >= MIN_NAMED.likeStaff || countOf(text) >= MIN_NAMED.anywhere,
    )
    .map((name) => ({ ...name, reviews: countOf(name.text) }))
    .sort((a, b) => b.reviews - a.reviews || (a.text < b.text ? -1 : 1));
}

/** Tells whether the words around are those of a person at work: `Dr. Okafor`, `Ravi came out`. */
function isUsedLikeStaff(
  tokens: readonly Token[],
  at: number,
  { actions, people }: TradeSets,
): boolean {
  const before = tokens[at]!.startsSentence ? '' : (tokens[at - 1]?.lower ?? '');
  if (ENGLISH.otherPeople.has(before)) return false;
  if ([BEFORE_NAMES, ENGLISH.honorifics, people].some((cues) => cues.has(before))) return true;
  const next = tokens[at + 1];
  if (next?.startsSentence !== false) return false;
  return [actions, ENGLISH.speechVerbs, ENGLISH.ambiguousActionVerbs].some((verbs) =>
    verbs.has(next.lower),
  );
}
