import { editDistance } from '../dataset/edit-distance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Technician, Vocabulary } from '../schema/vocabulary.ts';
import { isNickname } from './analyze/nicknames.ts';
import { CALENDAR, CRAFTS, DEEDS, LOOSE_DEEDS, OTHERS, SPOKEN } from './analyze/person-cues.ts';
import { tokenize, type Token } from './analyze/tokens.ts';

/** A name in a review that may be a technician's and that the vocabulary does not know. */
export interface AliasSuggestion {
  review_id: string;
  /** The name with its neighbours, verbatim. */
  words: string;
  name: string;
  /** The technician whose name it resembles; null where it only stands like a technician's. */
  nearest: Pick<Technician, 'id' | 'name'> | null;
}

/** A name that resembles nobody's is shown once this many reviews use it like a technician's. */
const MIN_REVIEWS = 2;
const CUES_BEFORE = new Set([...CRAFTS, 'named', 'thank', 'thanks', 'asked']);
const NEIGHBOURS = 2;

/**
 * Names for a person to look at, in the order of the reviews; nothing is matched by them. A word
 * that the vocabulary has in any list is none, and one that some review writes small only where it
 * both resembles a name and stands like one.
 */
export function suggestAliases(
  reviews: readonly ReviewRecord[],
  vocabulary: Vocabulary,
): AliasSuggestion[] {
  const texts = reviews.map(({ id, title, text }) => {
    const words = [title, text].filter((part) => part != null).join('\n');
    return { id, words, tokens: tokenize(words) };
  });
  const known = knownWords(vocabulary);
  const writtenSmall = new Set<string>();
  for (const { tokens } of texts) {
    for (const { text, lower } of tokens) if (text === lower) writtenSmall.add(lower);
  }
  const found = texts.flatMap(({ id, words, tokens }) =>
    tokens.flatMap((token, at): (AliasSuggestion & { cued: boolean })[] => {
      if (known.has(token.lower) || OTHERS.has(tokens[at - 1]?.lower ?? '')) return [];
      const isName = /^\p{Lu}\p{Ll}+/u.test(token.text) && !writtenSmall.has(token.lower);
      const cued = standsLikeTechnician(tokens, at);
      const nearest = isName || cued ? resembled(token.lower, vocabulary.technicians) : null;
      if (nearest === null && !(isName && cued)) return [];
      const name = token.text.replace(/['’]s$/, '');
      return [{ review_id: id, words: around(words, tokens, at), name, nearest, cued }];
    }),
  );
  const cuedIn = new Map<string, Set<string>>();
  for (const { name, cued, review_id } of found) {
    if (cued) cuedIn.set(name, (cuedIn.get(name) ?? new Set()).add(review_id));
  }
  return found
    .filter(({ name, nearest }) => nearest !== null || (cuedIn.get(name)?.size ?? 0) >= MIN_REVIEWS)
    .map(({ review_id, words, name, nearest }) => ({ review_id, words, name, nearest }));
}

function knownWords(vocabulary: Vocabulary): Set<string> {
  const forms = [
    ...vocabulary.technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...[vocabulary.services, vocabulary.service_areas, vocabulary.problems].flatMap((terms) =>
      terms.flatMap(({ label, aliases }) => [label, ...aliases]),
    ),
    ...vocabulary.aspects.flatMap(({ terms, phrases }) => [...terms, ...phrases]),
    ...vocabulary.topics.flatMap(({ terms }) => terms),
  ];
  return new Set([...CALENDAR, ...forms.flatMap((form) => tokenize(form).map(lowerOf))]);
}

function resembled(word: string, technicians: readonly Technician[]): AliasSuggestion['nearest'] {
  for (const { id, name } of technicians) {
    const parts = tokenize(name).map(lowerOf);
    if (parts.some((part) => isNear(word, part)) || isNickname(word, parts[0]!)) {
      return { id, name };
    }
  }
  return null;
}

/** A letter amiss in a short name, two in a long one; the first letter is seldom the one. */
function isNear(word: string, name: string): boolean {
  const most = name.length >= 7 ? 2 : name.length >= 4 ? 1 : 0;
  return word[0] === name[0] && editDistance(word, name) <= most;
}

/** `technician Ravi`, `Ravi came out`. */
function standsLikeTechnician(tokens: readonly Token[], at: number): boolean {
  const { startsSentence } = tokens[at]!;
  const next = tokens[at + 1];
  const deed = next?.startsSentence === false ? next.lower : '';
  return (
    (!startsSentence && CUES_BEFORE.has(tokens[at - 1]!.lower)) ||
    DEEDS.has(deed) ||
    SPOKEN.has(deed) ||
    LOOSE_DEEDS.has(deed)
  );
}

function around(words: string, tokens: readonly Token[], at: number): string {
  const first = tokens[Math.max(0, at - NEIGHBOURS)]!;
  const last = tokens[Math.min(tokens.length - 1, at + NEIGHBOURS)]!;
  return words.slice(first.start, last.end);
}

function lowerOf({ lower }: Token): string {
  return lower;
}
