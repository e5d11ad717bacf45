import type { Language } from '../languages/language.ts';
import type { Token } from './tokens.ts';

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
