import { editDistance } from '../search/edit-distance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Technician, Vocabulary } from '../schema/vocabulary.ts';
import { tokenize, type Token } from '../insights/analyze/tokens.ts';
import { tradeOf, type TradeSets } from '../insights/analyze/trade.ts';
import { ENGLISH } from '../insights/languages/languages.ts';

/** A name in a review that may be a technician's and is not in the vocabulary. */
export interface AliasSuggestion {
  review_id: string;
  /** The name with the words around it, verbatim. */
  words: string;
  name: string;
  /** The technician whose name it resembles; null if only its context is a technician's. */
  nearest: Pick<Technician, 'id' | 'name'> | null;
}

/** A name that resembles no technician's is listed if this many reviews use it like one. */
const MIN_REVIEWS = 2;
const CUES_BEFORE = new Set(['named', 'thank', 'thanks', 'asked']);
const NEIGHBOURS = 2;

/**
 * Returns names for a person to check, in the order of the reviews; none of them is matched. Words
 * of the vocabulary are left out. A word that some review writes in lower case must both resemble a
 * name and be used like one.
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
  const trade = tradeOf(vocabulary.trade, ENGLISH);
  const writtenSmall = new Set<string>();
  for (const { tokens } of texts) {
    for (const { text, lower } of tokens) if (text === lower) writtenSmall.add(lower);
  }
  const found = texts.flatMap(({ id, words, tokens }) =>
    tokens.flatMap((token, at): (AliasSuggestion & { cued: boolean })[] => {
      if (known.has(token.lower) || ENGLISH.otherPeople.has(tokens[at - 1]?.lower ?? '')) return [];
      const isName = /^\p{Lu}\p{Ll}+/u.test(token.text) && !writtenSmall.has(token.lower);
      const cued = standsLikeTechnician(tokens, at, trade);
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
  return new Set([
    ...ENGLISH.calendar,
    ...ENGLISH.thankedBeings,
    ...forms.flatMap((form) => tokenize(form).map(lowerOf)),
  ]);
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

/** Allows one wrong letter in a short name and two in a long one, but never the first letter. */
function isNear(word: string, name: string): boolean {
  const most = name.length >= 7 ? 2 : name.length >= 4 ? 1 : 0;
  return word[0] === name[0] && editDistance(word, name) <= most;
}

/** Tells whether the words around are a technician's: `technician Ravi`, `Ravi came out`. */
function standsLikeTechnician(
  tokens: readonly Token[],
  at: number,
  { actions, people }: TradeSets,
): boolean {
  const { startsSentence } = tokens[at]!;
  const before = startsSentence ? '' : (tokens[at - 1]?.lower ?? '');
  const next = tokens[at + 1];
  const verb = next?.startsSentence === false ? next.lower : '';
  return (
    [CUES_BEFORE, ENGLISH.honorifics, people].some((cues) => cues.has(before)) ||
    actions.has(verb) ||
    ENGLISH.speechVerbs.has(verb) ||
    ENGLISH.ambiguousActionVerbs.has(verb)
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

/** Short forms that do not begin like the name, each line of one name. */
const NICKNAMES: readonly (readonly string[])[] = [
  'alexander alexandra alex lex sandy xander',
  'andrew drew andy',
  'anthony tony',
  'barbara barb babs',
  'charles charlie chuck',
  'edward ed eddie ted ned',
  'elizabeth beth betsy liz lizzie eliza',
  'francis francisco frank paco',
  'henry hank harry',
  'james jim jimmy jamie',
  'john jack johnny',
  'jose pepe',
  'katherine kate kathy katie kit',
  'lawrence larry',
  'margaret maggie meg peggy greta',
  'michael mike mick micky',
  'nathaniel nathan nate',
  'patricia patrick pat patty tricia',
  'richard rich rick dick ricky',
  'robert bob bobby rob robbie',
  'stephen steven steve',
  'theodore ted teddy theo',
  'william bill billy liam will willy',
].map((line) => line.split(' '));

/** Tells whether one may be the short form of the other: `Dani` of `Danielle`, `Bob` of `Robert`. */
export function isNickname(a: string, b: string): boolean {
  if (a === b) return false;
  if (NICKNAMES.some((names) => names.includes(a) && names.includes(b))) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const root = short.replace(/(?:ie|y|i|o|s)$/, '');
  return root.length >= 3 && long.startsWith(root);
}
