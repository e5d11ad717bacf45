import { createBitset, keepCommon, type Bitset } from './bitset.ts';
import {
  BiwordIndex,
  buildBiwordIndex,
  buildPostings,
  Postings,
  type BiwordIndexData,
  type PostingsData,
} from './postings.ts';
import {
  buildTermDictionary,
  TermDictionary,
  type Relation,
  type TermDictionaryData,
} from './term-dictionary.ts';
import {
  buildForwardIndex,
  fold,
  ForwardIndex,
  SPACE,
  tokenize,
  withoutSpaces,
  type ForwardIndexData,
} from './tokens.ts';

/** Terms are dense early: their biwords are indexed, and the other terms have few positions. */
const DENSE_TERMS = 1 / 128;
/** Biwords take the square of this many places. In few reviews every term would be dense. */
const MOST_DENSE_TERMS = 1024;

/** Everything an index consists of: plain data, so that a restart need not read the texts again. */
export interface TextIndexData {
  dictionary: TermDictionaryData;
  forward: ForwardIndexData;
  postings: PostingsData;
  biwords: BiwordIndexData;
}

/** @param texts null where a document has no text: it never matches */
export function buildTextIndex(documents: number, texts: Iterable<string | null>): TextIndexData {
  const numbers = new Map([[SPACE, 0]]);
  const forward = new ForwardIndex(buildForwardIndex(documents, texts, numbers));
  const { tokens, starts, spaced } = forward;
  const postings = buildPostings(numbers.size, forward, DENSE_TERMS, MOST_DENSE_TERMS, (occur) => {
    for (const document of spaced) occur(0, starts[document]!);
    for (let at = 0; at < tokens.length; at++) occur(tokens[at]!, at);
  });
  return {
    dictionary: buildTermDictionary([...numbers.keys()]),
    forward: { tokens, starts, spaced },
    postings,
    biwords: buildBiwordIndex([...postings.dense.keys()], numbers.size, forward),
  };
}

/**
 * Exact substring search without reading texts.
 *
 * A text is a sequence of tokens (tokens.ts), and so is a pattern. A pattern of one token matches
 * where a term contains it. A longer one matches where its first token ends a term, its middle
 * tokens are the next terms, and its last token begins a term. Terms are found through their
 * k-grams, and neighbors through positions or biwords. Only a pattern of three or more tokens is
 * then looked up in the forward index, in the documents that have all its neighbors.
 */
export class TextIndex {
  readonly #dictionary: TermDictionary;
  readonly #forward: ForwardIndex;
  readonly #postings: Postings;
  readonly #biwords: BiwordIndex;
  readonly #expansions = new Map<string, TermExpansion>();

  constructor({ dictionary, forward, postings, biwords }: TextIndexData) {
    this.#dictionary = new TermDictionary(dictionary);
    this.#forward = new ForwardIndex(forward);
    this.#postings = new Postings(postings, this.#forward);
    this.#biwords = new BiwordIndex(biwords, this.#forward);
  }

  /** Returns the documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const tokens = tokenize(fold(pattern));
    if (tokens.length === 1) return this.#expand(tokens[0]!, 'includes').documents().slice();

    const steps = withoutSpaces(tokens).map((token, at, { length }) =>
      this.#expand(token, at === 0 ? 'endsWith' : at === length - 1 ? 'startsWith' : 'equals'),
    );
    if (steps.some(({ terms }) => terms.length === 0)) return createBitset(this.#forward.documents);
    const [found, ...rest] = steps.slice(1).map((right, at) => this.#neighbors(steps[at]!, right));
    for (const next of rest) keepCommon(found!, next);
    const isExact = rest.length === 0 && !steps.some((step) => step.matchesMostTerms);
    return isExact ? found! : this.#verified(found!, steps);
  }

  /** Returns the terms that match a token of a pattern; caches large expansions. */
  #expand(token: string, relation: Relation): TermExpansion {
    const key = `${relation} ${token}`;
    const known = this.#expansions.get(key);
    if (known) return known;
    const terms = this.#dictionary.find(token, relation);
    const expansion = new TermExpansion(terms, this.#postings, this.#dictionary.size);
    if (terms.length >= WORTH_KEEPING) {
      if (this.#expansions.size >= MAX_KEPT) {
        this.#expansions.delete(this.#expansions.keys().next().value!);
      }
      this.#expansions.set(key, expansion);
    }
    return expansion;
  }

  /**
   * Returns the documents in which a term of `left` directly precedes one of `right`; for an
   * expansion to most terms, the documents in which one may.
   */
  #neighbors(left: TermExpansion, right: TermExpansion): Bitset {
    if (left.matchesMostTerms) return right.documents().slice();
    if (right.matchesMostTerms) return left.documents().slice();
    const found = createBitset(this.#forward.documents);
    this.#biwords.addTo(found, left.dense, right.dense);
    // Looking beside every rare term of one side finds its pairs with all terms of the other.
    const fromLeft = right.dense.length > 0 || left.occurrences <= right.occurrences;
    const fromRight = left.dense.length > 0 || !fromLeft;
    if (fromLeft) {
      for (const term of left.rare) this.#postings.addBeside(found, term, 1, right.members());
    }
    if (fromRight) {
      for (const term of right.rare) this.#postings.addBeside(found, term, -1, left.members());
    }
    return found;
  }

  /** Drops the candidates whose sequence of tokens does not have the steps in a row. */
  #verified(candidates: Bitset, steps: readonly TermExpansion[]): Bitset {
    const { tokens, starts } = this.#forward;
    const width = steps.length - 1;
    const opens = steps[0]!.members();
    const middle = steps.slice(1, -1).map((step) => step.terms[0]!);
    const closes = steps[width]!.members();
    const hasSteps = (from: number, to: number): boolean => {
      for (let at = from; at < to; at++) {
        if (opens[tokens[at]!] === 0 || closes[tokens[at + width]!] === 0) continue;
        let same = 0;
        while (same < middle.length && tokens[at + 1 + same] === middle[same]) same++;
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

/** Smaller expansions are cheaper to compute again than to keep. */
const WORTH_KEEPING = 64;
/** An expansion takes a bit per document and a byte per term, a small part of the dataset. */
const MAX_KEPT = 96;

/** The terms that match one token of a pattern. */
class TermExpansion {
  readonly terms: readonly number[];
  readonly dense: readonly number[];
  readonly rare: readonly number[];
  /** Occurrences of all rare terms together. */
  readonly occurrences: number;
  /**
   * Set if there are so many terms that looking at documents is cheaper than looking at each term.
   */
  readonly matchesMostTerms: boolean;
  readonly #postings: Postings;
  readonly #dictionarySize: number;
  #documents: Bitset | undefined;
  #members: Uint8Array | undefined;

  constructor(terms: readonly number[], postings: Postings, dictionarySize: number) {
    this.terms = terms;
    this.dense = terms.filter((term) => postings.isDense(term));
    this.rare = terms.filter((term) => !postings.isDense(term));
    this.occurrences = this.rare.reduce((sum, term) => sum + postings.occurrences(term), 0);
    this.matchesMostTerms = terms.length * 2 > dictionarySize;
    this.#postings = postings;
    this.#dictionarySize = dictionarySize;
  }

  /** Returns the documents that have any of the terms; not to be changed. */
  documents(): Bitset {
    this.#documents ??= this.#postings.union(this.terms);
    return this.#documents;
  }

  /** Returns 1 for each of the terms, by number; not to be changed. */
  members(): Uint8Array {
    if (!this.#members) {
      this.#members = new Uint8Array(this.#dictionarySize);
      for (const term of this.terms) this.#members[term] = 1;
    }
    return this.#members;
  }
}
