import { addAll, createBitset, keepCommon, removeAll, type Bitset } from './bitset.ts';
import { fold } from './fold.ts';
import { FREQUENT_SHARE, PairIndex } from './pair-index.ts';
import { Postings } from './postings.ts';
import { readRuns, SPACE, withoutSpaces, type RunStream } from './run-stream.ts';
import { RunSet, RunSetCache } from './run-set.ts';
import { RunVocabulary } from './run-vocabulary.ts';
import { splitRuns } from './runs.ts';

/**
 * Exact substring search without reading texts.
 *
 * A text is a sequence of runs (runs.ts), and so is a pattern. A pattern of one run matches where
 * a run contains it. A longer one matches where its first run ends a run of the text, its middle
 * runs stand whole, and its last run begins one. Runs are found through their grams, documents
 * through the postings of runs and of frequent pairs, and the sequence itself settles the rest.
 */
export class TextIndex {
  readonly #documents: number;
  readonly #vocabulary = new RunVocabulary();
  readonly #stream: RunStream;
  readonly #postings: Postings;
  readonly #pairs: PairIndex;
  readonly #runSets = new RunSetCache();

  /** @param texts null where a document has no text: it never matches */
  constructor(documents: number, texts: Iterable<string | null>) {
    this.#documents = documents;
    const space = this.#vocabulary.add(SPACE);
    const stream = readRuns(documents, texts, this.#vocabulary);
    this.#vocabulary.indexGrams();
    this.#stream = stream;
    this.#postings = new Postings(this.#vocabulary.size, documents, (post) => {
      const { runs, starts, spaced } = stream;
      for (const document of spaced) post(space, document);
      for (let document = 0; document < documents; document++) {
        const end = starts[document + 1]!;
        for (let at = starts[document]!; at < end; at++) post(runs[at]!, document);
      }
    });
    this.#pairs = new PairIndex(
      this.#postings.frequent(FREQUENT_SHARE),
      this.#vocabulary.size,
      stream,
    );
  }

  /** Documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const runs: string[] = [];
    splitRuns(fold(pattern), (run) => runs.push(run));
    if (runs.length === 1) return this.#runSet('within', runs[0]!).documents().slice();

    const steps = this.#steps(withoutSpaces(runs));
    if (steps.some((step) => step.runs.length === 0)) return createBitset(this.#documents);
    const [first, ...rest] = steps.slice(1).map((right, at) => this.#neighbours(steps[at]!, right));
    const { surely, perhaps } = first!;
    if (rest.length === 0) {
      removeAll(perhaps, surely);
      this.#keepVerified(perhaps, steps);
      addAll(perhaps, surely);
      return perhaps;
    }
    addAll(perhaps, surely);
    for (const next of rest) {
      addAll(next.perhaps, next.surely);
      keepCommon(perhaps, next.perhaps);
    }
    this.#keepVerified(perhaps, steps);
    return perhaps;
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
      return new RunSet(runs, this.#postings, this.#pairs);
    });
  }

  /** Documents in which a run of `left` stands before one of `right`: surely, or perhaps. */
  #neighbours(left: RunSet, right: RunSet): { surely: Bitset; perhaps: Bitset } {
    const surely = createBitset(this.#documents);
    this.#pairs.addTo(surely, left.frequent, right.frequent);
    const perhaps = left.rareDocuments().slice();
    keepCommon(perhaps, right.documents());
    const others = right.rareDocuments().slice();
    keepCommon(others, left.documents());
    addAll(perhaps, others);
    return { surely, perhaps };
  }

  /** Drops the candidates whose sequence of runs does not have the steps in a row. */
  #keepVerified(candidates: Bitset, steps: readonly RunSet[]): void {
    const { runs, starts } = this.#stream;
    const width = steps.length - 1;
    const middle = steps.slice(1, -1).map(({ runs: [run] }) => run!);
    const opens = new Uint8Array(this.#vocabulary.size);
    const closes = new Uint8Array(this.#vocabulary.size);
    for (const run of steps[0]!.runs) opens[run] = 1;
    for (const run of steps[width]!.runs) closes[run] = 1;
    for (let word = 0; word < candidates.length; word++) {
      for (let bits = candidates[word]!; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const document = (word << 5) + 31 - Math.clz32(bit);
        if (!hasSteps(starts[document]!, starts[document + 1]! - width)) candidates[word]! &= ~bit;
      }
    }

    function hasSteps(from: number, to: number): boolean {
      for (let at = from; at < to; at++) {
        if (opens[runs[at]!] === 0 || closes[runs[at + width]!] === 0) continue;
        let same = 0;
        while (same < middle.length && runs[at + 1 + same] === middle[same]) same++;
        if (same === middle.length) return true;
      }
      return false;
    }
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
