import { createBitset, keepCommon, type Bitset } from './bitset.ts';
import { fold } from './fold.ts';
import { collectPairs, PairIndex, type PairIndexSnapshot } from './biword-index.ts';
import { collectPostings, Postings, type PostingsSnapshot } from './postings.ts';
import { RunSet, RunSetCache } from './term-expansion.ts';
import {
  readRuns,
  RunStream,
  SPACE,
  withoutSpaces,
  type RunStreamSnapshot,
} from './forward-index.ts';
import { RunVocabulary, type RunVocabularySnapshot } from './term-dictionary.ts';
import { splitRuns } from './tokens.ts';

/** Runs are dense early: pairs of them are then indexed, and the rest have few positions. */
const DENSE_RUNS = 1 / 128;

/** All that an index is made of: plain data, so that a restart need not read the texts again. */
export interface TextIndexSnapshot {
  vocabulary: RunVocabularySnapshot;
  stream: RunStreamSnapshot;
  postings: PostingsSnapshot;
  pairs: PairIndexSnapshot;
}

/** @param texts null where a document has no text: it never matches */
export function indexTexts(documents: number, texts: Iterable<string | null>): TextIndexSnapshot {
  const vocabulary = new RunVocabulary();
  const space = vocabulary.add(SPACE);
  const stream = readRuns(documents, texts, vocabulary);
  vocabulary.indexGrams();
  const postings = collectPostings(vocabulary.size, stream, DENSE_RUNS, (occur) => {
    for (const document of stream.spaced) occur(space, stream.starts[document]!);
    for (let at = 0; at < stream.runs.length; at++) occur(stream.runs[at]!, at);
  });
  const pairs = collectPairs(postings.denseKeys(), vocabulary.size, stream);
  return {
    vocabulary: vocabulary.snapshot(),
    stream: stream.snapshot(),
    postings: postings.snapshot(),
    pairs: pairs.snapshot(),
  };
}

/**
 * Exact substring search without reading texts.
 *
 * A text is a sequence of runs (runs.ts), and so is a pattern. A pattern of one run matches where
 * a run contains it. A longer one matches where its first run ends a run of the text, its middle
 * runs stand whole, and its last run begins one. Runs are found through their grams; neighbours
 * through the positions of runs, or the postings of pairs; only a pattern of three runs and more
 * is then looked for in the sequences of the documents that have all its neighbours.
 */
export class TextIndex {
  readonly #vocabulary: RunVocabulary;
  readonly #stream: RunStream;
  readonly #postings: Postings;
  readonly #pairs: PairIndex;
  readonly #runSets = new RunSetCache();

  constructor({ vocabulary, stream, postings, pairs }: TextIndexSnapshot) {
    this.#vocabulary = new RunVocabulary(vocabulary);
    this.#stream = new RunStream(stream);
    this.#postings = new Postings(postings, this.#stream);
    this.#pairs = new PairIndex(pairs, this.#stream);
  }

  /** Documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const runs: string[] = [];
    splitRuns(fold(pattern), (run) => runs.push(run));
    if (runs.length === 1) return this.#runSet('within', runs[0]!).documents().slice();

    const steps = this.#steps(withoutSpaces(runs));
    if (steps.some((step) => step.runs.length === 0)) return createBitset(this.#stream.documents);
    const [found, ...rest] = steps.slice(1).map((right, at) => this.#neighbours(steps[at]!, right));
    for (const next of rest) keepCommon(found!, next);
    const settled = rest.length === 0 && !steps.some((step) => step.isBroad);
    return settled ? found! : this.#verified(found!, steps);
  }

  /** For each run of a pattern, the runs of the vocabulary that may stand in its place. */
  #steps(runs: readonly string[]): RunSet[] {
    const last = runs.length - 1;
    return runs.map((run, index) => {
      if (index === 0) return this.#runSet('end', run);
      return this.#runSet(index === last ? 'start' : 'whole', run);
    });
  }

  #runSet(part: keyof typeof FIND, run: string): RunSet {
    return this.#runSets.get(`${part} ${run}`, () => {
      const runs = FIND[part](this.#vocabulary, run);
      return new RunSet(runs, this.#postings, this.#vocabulary.size);
    });
  }

  /** Documents in which a run of `left` stands before one of `right`; beside a broad set, may. */
  #neighbours(left: RunSet, right: RunSet): Bitset {
    if (left.isBroad) return right.documents().slice();
    if (right.isBroad) return left.documents().slice();
    const found = createBitset(this.#stream.documents);
    this.#pairs.addTo(found, left.dense, right.dense);
    // A look beside every sparse run of one side finds its pairs with all runs of the other.
    const fromLeft = right.dense.length > 0 || left.occurrences <= right.occurrences;
    const fromRight = left.dense.length > 0 || !fromLeft;
    if (fromLeft) {
      for (const run of left.sparse) this.#postings.addBeside(found, run, 1, right.members());
    }
    if (fromRight) {
      for (const run of right.sparse) this.#postings.addBeside(found, run, -1, left.members());
    }
    return found;
  }

  /** Drops the candidates whose sequence of runs does not have the steps in a row. */
  #verified(candidates: Bitset, steps: readonly RunSet[]): Bitset {
    const { runs, starts } = this.#stream;
    const width = steps.length - 1;
    const opens = steps[0]!.members();
    const middle = steps.slice(1, -1).map((step) => step.runs[0]!);
    const closes = steps[width]!.members();
    const hasSteps = (from: number, to: number): boolean => {
      for (let at = from; at < to; at++) {
        if (opens[runs[at]!] === 0 || closes[runs[at + width]!] === 0) continue;
        let same = 0;
        while (same < middle.length && runs[at + 1 + same] === middle[same]) same++;
        if (same === middle.length) return true;
      }
      return false;
    };
    for (let word = 0; word < candidates.length; word++) {
      for (let bits = candidates[word]!; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const document = (word << 5) + 31 - Math.clz32(bit);
        if (!hasSteps(starts[document]!, starts[document + 1]! - width)) candidates[word]! &= ~bit;
      }
    }
    return candidates;
  }
}

/** How a part of a pattern stands in a run of the text. */
const FIND = {
  within: (vocabulary: RunVocabulary, run: string) => vocabulary.containing(run),
  end: (vocabulary: RunVocabulary, run: string) =>
    edge(vocabulary, run, vocabulary.endingWith(run)),
  start: (vocabulary: RunVocabulary, run: string) =>
    edge(vocabulary, run, vocabulary.startingWith(run)),
  whole: (vocabulary: RunVocabulary, run: string) => {
    const id = vocabulary.find(run);
    return id === undefined ? [] : [id];
  },
};

/** A space at the edge of a pattern is also the one left out beside any word. */
function edge(vocabulary: RunVocabulary, run: string, ids: number[]): number[] {
  return run === SPACE ? [...ids, ...vocabulary.words()] : ids;
}
