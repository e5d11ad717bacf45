import { fold } from './fold.ts';
import { GrowingArray } from './growing-array.ts';
import type { RunVocabulary } from './term-dictionary.ts';
import { splitRuns } from './tokens.ts';

/** The separator between most words. */
export const SPACE = ' ';

/** One document in this many positions is remembered; the others are a step or two away. */
const LANDMARK_SHIFT = 5;

export interface RunStreamSnapshot {
  runs: Uint16Array | Uint32Array;
  starts: Uint32Array;
  spaced: readonly number[];
}

/**
 * Texts as sequences of run numbers. A single space between two words is left out: two words that
 * follow each other have one between them, so the sequence still is the text.
 */
export class RunStream {
  /** Run numbers of all documents, one after the other. */
  readonly runs: Uint16Array | Uint32Array;
  /** Where each document begins in `runs`; one more at the end. */
  readonly starts: Uint32Array;
  /** Documents that have a single space left out, ascending. */
  readonly spaced: readonly number[];
  readonly #landmarks: Uint32Array;

  constructor({ runs, starts, spaced }: RunStreamSnapshot) {
    this.runs = runs;
    this.starts = starts;
    this.spaced = spaced;
    this.#landmarks = this.#placeLandmarks();
  }

  snapshot(): RunStreamSnapshot {
    return { runs: this.runs, starts: this.starts, spaced: this.spaced };
  }

  get documents(): number {
    return this.starts.length - 1;
  }

  /** The document that a position of `runs` lies in. */
  documentAt(position: number): number {
    let document = this.#landmarks[position >>> LANDMARK_SHIFT]!;
    while (this.starts[document + 1]! <= position) document++;
    return document;
  }

  #placeLandmarks(): Uint32Array {
    const landmarks = new Uint32Array((this.runs.length >>> LANDMARK_SHIFT) + 1);
    let document = 0;
    for (let landmark = 0; landmark < landmarks.length; landmark++) {
      const position = landmark << LANDMARK_SHIFT;
      while (document + 1 < this.documents && this.starts[document + 1]! <= position) document++;
      landmarks[landmark] = document;
    }
    return landmarks;
  }
}

/**
 * Takes every run of the texts into the vocabulary.
 *
 * @param texts null where a document has no text
 */
export function readRuns(
  documents: number,
  texts: Iterable<string | null>,
  vocabulary: RunVocabulary,
): RunStream {
  const runs = new GrowingArray();
  const starts = new Uint32Array(documents + 1);
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
  return new RunStream({ runs: runs.compact(vocabulary.size), starts, spaced });
}

/** Leaves out the single spaces between words; those at either end stay. */
export function withoutSpaces(runs: readonly string[]): string[] {
  const last = runs.length - 1;
  return runs.filter((run, index) => run !== SPACE || index === 0 || index === last);
}
