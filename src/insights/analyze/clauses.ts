import type { Language } from '../languages/language.ts';
import type { Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** The sentence and clause of a word, numbered through the text. */
export interface Place {
  sentence: number;
  clause: number;
  /** Numbers the contrast segments: a `but` begins a segment about something else. */
  segment: number;
}

const CLAUSE_MARK = /[,;:()–—]| - /;
/** Longer clauses are cut, so that a text without punctuation takes linear time. */
const MAX_WORDS = 60;

/** Returns the place of each word. */
export function findPlaces(tokens: readonly Token[], language: Language): Place[] {
  let sentence = -1;
  let clause = -1;
  let segment = -1;
  let words = 0;
  return tokens.map(({ lower, gap, startsSentence }) => {
    const before = clause;
    if (startsSentence) {
      sentence++;
      clause++;
      segment++;
    } else if (language.contrasts.has(lower)) {
      clause++;
      segment++;
    } else if (
      words === MAX_WORDS ||
      language.clauseStarts.has(lower) ||
      (gap !== ' ' && CLAUSE_MARK.test(gap))
    )
      clause++;
    words = clause === before ? words + 1 : 1;
    return { sentence, clause, segment };
  });
}

/** At most this many words may precede the subject. */
const BEFORE_SUBJECT_MOST = 6;
/** At most this many words may modify it: `other pet insurance companies`. */
const MODIFIERS_MOST = 2;
/** Words that make `the last plumber` one of this business. */
const OF_THIS_BUSINESS = /^(?:here|at this|(?:they|you) sent)\b/;

/**
 * Finds the clauses about somebody else: `the last company was rude`, `our dog barked`, `a bad
 * experience with another plumber`.
 */
export function thirdPartyClauses(
  tokens: readonly Token[],
  places: readonly Place[],
  trade: TradeSets,
  language: Language,
): ReadonlySet<number> {
  const clauses = new Set<number>();
  tokens.forEach(({ startsSentence }, at) => {
    const { clause } = places[at]!;
    const before = places[at - 1]?.clause;
    if (before === clause) return;
    const goesOn =
      !startsSentence && clauses.has(before ?? -1) && language.continuations.has(tokens[at]!.lower);
    if (goesOn || isOther(tokens, at, trade, language)) clauses.add(clause);
  });
  tokens.forEach(({ lower }, at) => {
    const isWithOther =
      language.namePrepositions.has(lower) &&
      language.occasions.has(tokens[at - 1]?.lower ?? '') &&
      language.other.has(tokens[at + 1]?.lower ?? '') &&
      isOther(tokens, at + 1, trade, language);
    if (isWithOther) clauses.add(places[at]!.clause);
  });
  return clauses;
}

/** Tells whether the subject at the beginning of a clause is somebody else. */
function isOther(
  tokens: readonly Token[],
  first: number,
  { businesses, modifiers, bystanders }: TradeSets,
  language: Language,
): boolean {
  let at = first;
  const lower = (): string =>
    at > first && tokens[at]?.startsSentence ? '' : (tokens[at]?.lower ?? '');
  while (at - first < BEFORE_SUBJECT_MOST && language.beforeSubject.has(lower())) at++;
  if (bystanders.has(lower())) return true;
  const isNamedOther = language.other.has(lower());
  if (isNamedOther) at++;
  const isNoun = (word: string) => businesses.has(word) || modifiers.has(word);
  for (let most = MODIFIERS_MOST; most > 0 && modifiers.has(lower()); most--) {
    if (!isNoun(tokens[at + 1]?.lower ?? '')) break;
    at++;
  }
  if (!businesses.has(lower())) return false;
  at++;
  const next = `${lower()} ${tokens[at + 1]?.lower ?? ''}`;
  if (!isNamedOther) return next === 'we had';
  return !language.occasions.has(lower()) && !OF_THIS_BUSINESS.test(next);
}
