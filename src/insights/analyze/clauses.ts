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

/** The place of each word. */
export function findPlaces(tokens: readonly Token[]): Place[] {
  let sentence = -1;
  let clause = -1;
  let turn = -1;
  return tokens.map(({ lower, gap, startsSentence }) => {
    if (startsSentence) {
      sentence++;
      clause++;
      turn++;
    } else if (TURNS.has(lower)) {
      clause++;
      turn++;
    } else if (JOINS.has(lower) || CLAUSE_MARK.test(gap)) clause++;
    return { sentence, clause, turn };
  });
}
