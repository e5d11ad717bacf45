import type { Token } from './tokens.ts';

/** Where a word stands: the sentence, and the clause in it. Both count up through the text. */
export interface Place {
  sentence: number;
  clause: number;
  /** Counts the turns of a text: what stands behind a `but` speaks of something else. */
  turn: number;
}

const CLAUSE_MARK = /[,;:()–—]| - /;
const TURNS = new Set(
  'but although though however yet while whereas except unfortunately'.split(' '),
);
const JOINS = new Set('and because since so which when where who until after before'.split(' '));

/** No clause is longer: text without any mark is cut here, so that no rule has to look far. */
const MAX_WORDS = 60;

/** The place of each word. */
export function findPlaces(tokens: readonly Token[]): Place[] {
  let sentence = -1;
  let clause = -1;
  let turn = -1;
  let words = 0;
  return tokens.map(({ lower, gap, startsSentence }) => {
    const before = clause;
    if (startsSentence) {
      sentence++;
      clause++;
      turn++;
    } else if (TURNS.has(lower)) {
      clause++;
      turn++;
    } else if (words === MAX_WORDS || JOINS.has(lower) || CLAUSE_MARK.test(gap)) clause++;
    words = clause === before ? words + 1 : 1;
    return { sentence, clause, turn };
  });
}
