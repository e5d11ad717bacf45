import { hasBit, removeBit, type Bitset } from './bitset.ts';
import type { Postings } from './postings.ts';
import { isWord, SPACE, type ForwardIndex } from './tokens.ts';

/** Side of a word that a space is on. */
export type Side = 'before' | 'after';

/** The documents that have a word, but never with a space on one side of it. */
interface Exceptions {
  /** Beginnings of the documents of each term in `documents`, and the end of the last ones. */
  starts: Uint32Array;
  documents: Uint32Array;
}

export type SpaceIndexData = Record<Side, Exceptions>;

/**
 * Finds the documents in which a word has a space beside it, for patterns that begin or end with one.
 * Nearly every word has one nearly everywhere, so only the exceptions are kept.
 */
export class SpaceIndex {
  readonly #data: SpaceIndexData;
  readonly #postings: Postings;

  constructor(data: SpaceIndexData, postings: Postings) {
    this.#data = data;
    this.#postings = postings;
  }

  /** Adds the documents in which a word has a space on this side. */
  addTo(set: Bitset, word: number, side: Side): void {
    const { starts, documents } = this.#data[side];
    const missing: number[] = [];
    for (let at = starts[word]!; at < starts[word + 1]!; at++) {
      if (!hasBit(set, documents[at]!)) missing.push(documents[at]!);
    }
    this.#postings.addTo(set, word);
    for (const document of missing) removeBit(set, document);
  }
}

/** @param terms by number */
export function buildSpaceIndex(terms: readonly string[], forward: ForwardIndex): SpaceIndexData {
  const words = Uint8Array.from(terms, (term) => Number(isWord(term)));
  const endsInSpace = Uint8Array.from(terms, (term) =>
    Number(isWord(term) || term.endsWith(SPACE)),
  );
  const startsWithSpace = Uint8Array.from(terms, (term) =>
    Number(isWord(term) || term.startsWith(SPACE)),
  );
  return {
    before: exceptions(words, forward, -1, endsInSpace),
    after: exceptions(words, forward, 1, startsWithSpace),
  };
}

/**
 * @param words 1 for each term that is a word
 * @param step where the space may be: -1 before the word, 1 after it
 * @param spaces 1 for each term that has a space on the side of the word; between words one is left out
 */
function exceptions(
  words: Uint8Array,
  { tokens, starts: documentStarts }: ForwardIndex,
  step: -1 | 1,
  spaces: Uint8Array,
): Exceptions {
  const count = documentStarts.length - 1;
  const seenIn = new Int32Array(words.length).fill(-1);
  const found: { term: number; document: number }[] = [];
  const starts = new Uint32Array(words.length + 1);
  for (let document = 0; document < count; document++) {
    const from = documentStarts[document]!;
    const to = documentStarts[document + 1]!;
    for (let at = from; at < to; at++) {
      const beside = at + step;
      const hasSpace = beside >= from && beside < to && spaces[tokens[beside]!] === 1;
      if (hasSpace) seenIn[tokens[at]!] = document;
    }
    for (let at = from; at < to; at++) {
      const term = tokens[at]!;
      if (words[term] === 0 || seenIn[term] === document) continue;
      seenIn[term] = document;
      found.push({ term, document });
      starts[term + 1]!++;
    }
  }
  for (let term = 0; term < words.length; term++) starts[term + 1]! += starts[term]!;
  const next = starts.slice();
  const documents = new Uint32Array(found.length);
  for (const { term, document } of found) documents[next[term]!++] = document;
  return { starts, documents };
}
