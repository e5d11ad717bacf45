import type { Language } from '../languages/language.ts';
import type { Token } from './tokens.ts';

/** The sentence and clause of a word, numbered through the text. */
export interface Place {
  sentence: number;
  clause: number;
  /**
   * Numbers the contrast segments: a `but` begins a segment about something else, and so does what follows
   * a clause that begins its sentence with a concession (`while the room was cold,`).
   */
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
  /** The sentence, if it begins with a concession that goes on. */
  let conceding = -1;
  return tokens.map(({ lower, gap, startsSentence }, at) => {
    const isMarked = gap !== ' ' && CLAUSE_MARK.test(gap);
    const isGranted = isMarked && conceding === sentence;
    const before = { clause, words };
    if (startsSentence) sentence++;
    // The service was unfortunately slow.
    const isInside = language.auxiliaries.has(tokens[at - 1]?.lower ?? '') && !isMarked;
    if (startsSentence || isGranted || (language.contrasts.has(lower) && !isInside)) {
      clause++;
      segment++;
    } else if (words === MAX_WORDS || language.clauseStarts.has(lower) || isMarked) clause++;
    words = clause === before.clause ? words + 1 : 1;
    const begins = startsSentence || before.words === 1;
    if (begins && language.concessions.has(lower)) conceding = sentence;
    else if (isGranted) conceding = -1;
    return { sentence, clause, segment };
  });
}
