import { fold } from './fold.ts';
import { GrowingArray } from './growing-array.ts';
import type { RunVocabulary } from './run-vocabulary.ts';
import { splitRuns } from './runs.ts';

/** The separator between most words. */
export const SPACE = ' ';

/**
 * Texts as sequences of run numbers. A single space between two words is left out: two words that
 * follow each other have one between them, so the sequence still is the text.
 */
export interface RunStream {
  /** Of all documents, one after the other. */
  runs: Uint16Array | Uint32Array;
  /** Where each document begins in `runs`; one more at the end. */
  starts: Uint32Array;
  /** Documents that have a single space left out, ascending. */
  spaced: number[];
}

/**
 * Takes every run of the texts into the vocabulary.
 *
 * @param texts null where a document has no text
 */
export function readRuns(
  count: number,
  texts: Iterable<string | null>,
  vocabulary: RunVocabulary,
): RunStream {
  const runs = new GrowingArray();
  const starts = new Uint32Array(count + 1);
  const spaced: number[] = [];
  let document = 0;
  let begun = false;
  let held = false;
  const take = (run: string): void => {
    if (run === SPACE && begun) {
      held = true; // whether it stands between two words shows with the next run
      return;
    }
    if (held && spaced.at(-1) !== document) spaced.push(document);
    held = false;
    begun = true;
    runs.push(vocabulary.add(run));
  };
  for (const text of texts) {
    begun = false;
    if (text !== null) splitRuns(fold(text), take);
    if (held) runs.push(vocabulary.add(SPACE));
    held = false;
    starts[++document] = runs.length;
  }
  return { runs: runs.compact(vocabulary.size), starts, spaced };
}

/** Leaves out the single spaces between words; those at either end stay. */
export function withoutSpaces(runs: readonly string[]): string[] {
  const last = runs.length - 1;
  return runs.filter((run, index) => run !== SPACE || index === 0 || index === last);
}
