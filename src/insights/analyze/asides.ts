import type { Language } from '../languages/language.ts';
import type { Place } from './clauses.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import type { Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** The words of a text that say nothing of this business as it is, by their index. */
export interface Asides {
  /** About another business or person, or told by somebody else. */
  others: ReadonlySet<number>;
  /** About what was not so: `would have been great`. */
  unreal: ReadonlySet<number>;
  /** Words of the phrases that say so, whose negators negate nothing else. */
  said: ReadonlySet<number>;
}

/** Kinds of phrases, by their effect on the words around them. */
type Kind = 'unreal' | 'hearsay' | 'elsewhere' | 'nearby' | 'conditions';

/** Finds phrases of a language that make an aside. */
export function asidePhrases(language: Language): PhraseMatcher<Kind> {
  const phrases = new PhraseMatcher<Kind>(language);
  for (const kind of ['unreal', 'hearsay', 'elsewhere', 'nearby', 'conditions'] as const) {
    for (const phrase of language[kind]) phrases.add(phrase, kind);
  }
  return phrases;
}

/**
 * Finds the asides of a text: `the last company was rude`, `the place across the street has better
 * food`, `the reviews say it is loud`, `would have been great if it had been warm`.
 *
 * @param tokens without the names of the business
 */
export function findAsides(
  tokens: readonly Token[],
  places: readonly Place[],
  phrases: PhraseMatcher<Kind>,
  trade: TradeSets,
  language: Language,
): Asides {
  const others = new Set<number>();
  const unreal = new Set<number>();
  const said = new Set<number>();
  const mark = (set: Set<number>, from: number) => {
    for (let at = from; places[at]?.clause === places[from]?.clause && at < tokens.length; at++)
      set.add(at);
  };
  /** Marks a clause; of a comparison only what this business is compared with. */
  const markClause = (within: number) => {
    const { clause } = places[within]!;
    let first = within;
    while (places[first - 1]?.clause === clause) {
      if (language.comparisons.has(tokens[first - 1]!.lower)) break;
      first--;
    }
    mark(others, first);
  };
  const conditions: number[] = [];
  const sentencesElsewhere = new Set<number>();
  for (const { value, at, length } of phrases.matches(tokens)) {
    const isNearby = value === 'nearby' && trade.businesses.has(tokens[at - 1]?.lower ?? '');
    if (value === 'unreal' || value === 'hearsay') {
      const next = at + length;
      for (let word = at; word < next; word++) said.add(word);
      if (places[next]?.sentence === places[at]!.sentence)
        mark(value === 'unreal' ? unreal : others, next);
    } else if (value === 'conditions') conditions.push(at);
    else if (value === 'elsewhere' || isNearby) {
      sentencesElsewhere.add(places[at]!.sentence);
      markClause(at);
    }
  }
  for (const at of conditions) {
    if (sentencesElsewhere.has(places[at]!.sentence)) mark(others, at);
  }
  tokens.forEach(({ lower, startsSentence }, at) => {
    if (isAtOther(tokens, at, trade, language)) markClause(at);
    if (isTold(tokens, at, language)) markQuoted(tokens, at, others);
    if (places[at - 1]?.clause === places[at]!.clause) return;
    const goesOn = !startsSentence && others.has(at - 1) && language.continuations.has(lower);
    if (goesOn || isOther(tokens, at, trade, language)) mark(others, at);
  });
  return { others, unreal, said };
}

/** At most this many words may precede the subject. */
const BEFORE_SUBJECT_MOST = 6;
/** At most this many words may modify it: `other pet insurance companies`. */
const MODIFIERS_MOST = 2;

/** Tells whether the subject at the beginning of a clause is somebody else. */
function isOther(
  tokens: readonly Token[],
  first: number,
  { businesses, modifiers, bystanders }: TradeSets,
  language: Language,
): boolean {
  let at = first;
  const lower = (from = at): string =>
    from > first && tokens[from]?.startsSentence ? '' : (tokens[from]?.lower ?? '');
  while (at - first < BEFORE_SUBJECT_MOST && language.beforeSubject.has(lower())) at++;
  if (bystanders.has(lower())) return true;
  const isCalled = isName(tokens[at]) && isName(tokens[at + 1]) && businesses.has(lower(at + 1));
  if (isCalled && language.auxiliaries.has(lower(at + 2))) return true;
  const isNamedOther = language.other.has(lower());
  if (isNamedOther) at++;
  const isNoun = (word: string) => businesses.has(word) || modifiers.has(word);
  for (let most = MODIFIERS_MOST; most > 0 && modifiers.has(lower()); most--) {
    if (!isNoun(lower(at + 1))) break;
    at++;
  }
  if (!businesses.has(lower())) return false;
  const next = `${lower(at + 1)} ${lower(at + 2)}`;
  if (!isNamedOther) return language.formerly.has(next);
  return ![lower(at + 1), next].some(
    (word) => language.occasions.has(word) || language.ofThisBusiness.has(word),
  );
}

/** Tells whether a word begins the name of a place that is another business: `at another restaurant`. */
function isAtOther(
  tokens: readonly Token[],
  at: number,
  { businesses }: TradeSets,
  { atOthers, namePrepositions, occasions, other }: Language,
): boolean {
  const [before, lower, next] = [at - 1, at, at + 1].map((word) => tokens[word]?.lower ?? '');
  const isBefore = atOthers.has(lower!) || (namePrepositions.has(lower!) && occasions.has(before!));
  return isBefore && other.has(next!) && businesses.has(tokens[at + 2]?.lower ?? '');
}

const OPENS_QUOTE = /["“«]\s?$/;
const CLOSES_QUOTE = /^[^\p{L}]*["”»]/u;
/** A quotation of fewer words is the writer's own: `the "chef"`. */
const QUOTED_LEAST = 3;

/** Tells whether a quotation of somebody else begins at a word: `they said "the best doctors"`. */
function isTold(tokens: readonly Token[], at: number, { speechVerbs }: Language): boolean {
  return (
    OPENS_QUOTE.test(tokens[at]!.gap) &&
    [1, 2].some((back) => speechVerbs.has(tokens[at - back]?.lower ?? ''))
  );
}

function markQuoted(tokens: readonly Token[], first: number, others: Set<number>): void {
  const closed = tokens.findIndex(({ gap }, at) => at > first && CLOSES_QUOTE.test(gap));
  const end = closed < 0 ? tokens.length : closed;
  if (end - first < QUOTED_LEAST) return;
  for (let at = first; at < end; at++) others.add(at);
}

function isName(token: Token | undefined): boolean {
  return token !== undefined && token.lower !== '' && /^\p{Lu}/u.test(token.text);
}
