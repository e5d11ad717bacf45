import { countBits, createBitset, fullBitset, keepCommon, type Bitset } from './bitset.ts';
import { Lru } from './lru.ts';
import {
  BiwordIndex,
  buildBiwordIndex,
  buildPostings,
  Postings,
  type BiwordIndexData,
  type PostingsData,
} from './postings.ts';
import { buildSpaceIndex, SpaceIndex, type Side, type SpaceIndexData } from './space-index.ts';
import {
  buildTermDictionary,
  TermDictionary,
  TermExpansion,
  type Relation,
  type TermDictionaryData,
} from './term-dictionary.ts';
import {
  buildForwardIndex,
  fold,
  termsBeside,
  type ForwardIndex,
  type Terms,
  SPACE,
  tokenize,
  withoutSpaces,
} from './tokens.ts';

/** Terms are dense early: their biwords are indexed, and the other terms have few positions. */
const DENSE_TERMS = 1 / 128;
/** Biwords take the square of this many places. In few reviews every term would be dense. */
const MOST_DENSE_TERMS = 1024;

/** Everything an index consists of: plain data, so that a restart need not read the texts again. */
export interface TextIndexData {
  dictionary: TermDictionaryData;
  forward: ForwardIndex;
  postings: PostingsData;
  /** The terms beside each occurrence in the postings. */
  beside: Record<Side, Terms>;
  biwords: BiwordIndexData;
  spaces: SpaceIndexData;
}

/** @param texts null where a document has no text: it never matches */
export function buildTextIndex(documents: number, texts: Iterable<string | null>): TextIndexData {
  const numbers = new Map([[SPACE, 0]]);
  const forward = buildForwardIndex(documents, texts, numbers);
  const { tokens, starts, spaced } = forward;
  const terms = [...numbers.keys()];
  const { postings, positions } = buildPostings(
    terms.length,
    documents,
    DENSE_TERMS,
    MOST_DENSE_TERMS,
    (occur) => {
      for (const document of spaced) occur(0, document, starts[document]!);
      for (let document = 0; document < documents; document++) {
        const end = starts[document + 1]!;
        for (let at = starts[document]!; at < end; at++) occur(tokens[at]!, document, at);
      }
    },
  );
  const beside = (step: -1 | 1) =>
    termsBeside(positions, postings.documents, step, forward, terms.length);
  return {
    dictionary: buildTermDictionary(terms),
    forward,
    postings,
    beside: { before: beside(-1), after: beside(1) },
    biwords: buildBiwordIndex(postings.dense, terms.length, forward),
    spaces: buildSpaceIndex(terms, forward),
  };
}

/** Patterns whose documents are kept; each takes a bit per document. */
const KEPT_MATCHES = 256;
/** Tokens whose terms are kept; each takes a few bytes per term. */
const KEPT_EXPANSIONS = 64;
/** With so few candidates, reading them is faster than following more postings. */
const FEW_CANDIDATES = 64;
/** A side with more dense terms is in nearly all documents. */
const MOST_SELECTIVE = 8;
/** In the time of following one posting, so many tokens are read in order. */
const READ_PER_POSTING = 16;

/**
 * Exact substring search without reading texts.
 *
 * A text is a sequence of tokens (tokens.ts), and so is a pattern. A pattern of one token matches
 * where a term contains it. A longer one matches where its first token ends a term, its middle
 * tokens are the next terms, and its last token begins a term. Terms are found through their
 * k-grams, and neighbors through biwords or the terms beside each rare one; a space beside a word
 * has an index of its own. A pattern of three or more tokens is then looked up in the forward index,
 * in the documents that have all its neighbors; so is one whose tokens match so many terms that
 * reading the documents is faster.
 */
export class TextIndex {
  readonly #dictionary: TermDictionary;
  readonly #forward: ForwardIndex;
  readonly #documents: number;
  readonly #postings: Postings;
  readonly #beside: Record<Side, Terms>;
  readonly #biwords: BiwordIndex;
  readonly #spaces: SpaceIndex;
  readonly #expansions = new Lru<TermExpansion>(KEPT_EXPANSIONS);
  readonly #matches = new Lru<Bitset>(KEPT_MATCHES);

  constructor({ dictionary, forward, postings, beside, biwords, spaces }: TextIndexData) {
    this.#dictionary = new TermDictionary(dictionary);
    this.#forward = forward;
    this.#documents = forward.starts.length - 1;
    this.#postings = new Postings(postings, this.#documents);
    this.#beside = beside;
    this.#biwords = new BiwordIndex(biwords, this.#documents);
    this.#spaces = new SpaceIndex(spaces, this.#postings);
  }

  /** Returns the documents whose text contains the pattern, which must not be empty. */
  match(pattern: string): Bitset {
    const folded = fold(pattern);
    return this.#matches.get(folded, () => this.#find(tokenize(folded))).slice();
  }

  #find(tokens: readonly string[]): Bitset {
    const [first, second] = tokens as [string, string];
    if (tokens.length === 1) return this.#expand(first, 'includes').documents();
    if (tokens.length === 2 && first === SPACE)
      return this.#withSpace('before', second, 'startsWith');
    if (tokens.length === 2 && second === SPACE) return this.#withSpace('after', first, 'endsWith');

    const kept = withoutSpaces(tokens);
    const last = kept.length - 1;
    const steps = [this.#expand(kept[0]!, 'endsWith')];
    const found = fullBitset(this.#documents);
    let isExact = last === 1;
    let left = this.#documents;
    for (let at = 1; at <= last; at++) {
      const step = this.#expand(kept[at]!, at === last ? 'startsWith' : 'equals');
      const before = steps.at(-1)!;
      steps.push(step);
      if (isExact || left > FEW_CANDIDATES) {
        const neighbors = this.#neighbors(before, step);
        isExact &&= neighbors !== undefined;
        const candidates = neighbors ?? this.#candidates(before, step);
        if (candidates) keepCommon(found, candidates);
        left = countBits(found);
      }
      if (left === 0) return found;
    }
    return isExact ? found : this.#verified(found, steps);
  }

  /** Returns the documents in which a term that matches a token has a space beside it. */
  #withSpace(side: Side, token: string, relation: Relation): Bitset {
    const found = createBitset(this.#documents);
    for (const term of this.#expand(token, relation).terms) this.#spaces.addTo(found, term, side);
    return found;
  }

  /** Returns the terms that match a token of a pattern. */
  #expand(token: string, relation: Relation): TermExpansion {
    return this.#expansions.get(`${relation} ${token}`, () => {
      const terms = this.#dictionary.find(token, relation);
      return new TermExpansion(terms, this.#postings, this.#dictionary.size);
    });
  }

  /**
   * Returns the documents in which a term of `left` directly precedes one of `right`; undefined if
   * there are so many postings that reading documents is faster.
   */
  #neighbors(left: TermExpansion, right: TermExpansion): Bitset | undefined {
    // Looking beside every rare term of one side finds its pairs with all terms of the other.
    const areRare = left.dense.length === 0 && right.dense.length === 0;
    const fromLeft = areRare ? left.occurrences < right.occurrences : right.dense.length > 0;
    const fromRight = areRare ? !fromLeft : left.dense.length > 0;
    const postings =
      left.dense.length * right.dense.length +
      (fromLeft ? left.occurrences : 0) +
      (fromRight ? right.occurrences : 0);
    if (postings * READ_PER_POSTING > this.#forward.tokens.length) return undefined;

    const found = createBitset(this.#documents);
    this.#biwords.addTo(found, left.dense, right.dense);
    if (fromLeft) {
      const after = right.members();
      for (const term of left.rare)
        this.#postings.addBeside(found, term, this.#beside.after, after);
    }
    if (fromRight) {
      const before = left.members();
      for (const term of right.rare) {
        this.#postings.addBeside(found, term, this.#beside.before, before);
      }
    }
    return found;
  }

  /** Returns documents that may have both neighbors, undefined if that may be nearly all. */
  #candidates(...both: [TermExpansion, TermExpansion]): Bitset | undefined {
    const [fewest] = both.sort(
      (a, b) => a.dense.length - b.dense.length || a.occurrences - b.occurrences,
    );
    return fewest.dense.length > MOST_SELECTIVE ? undefined : fewest.documents();
  }

  /** Drops the candidates whose sequence of tokens does not have the steps in a row. */
  #verified(candidates: Bitset, steps: readonly TermExpansion[]): Bitset {
    const { tokens, starts } = this.#forward;
    const width = steps.length - 1;
    const opens = steps[0]!.members();
    const middle = steps.slice(1, -1).map((step) => step.terms[0]!);
    const closes = steps[width]!.members();
    for (let word = 0; word < candidates.length; word++) {
      for (let bits = candidates[word]!; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const document = (word << 5) + 31 - Math.clz32(bit);
        const end = starts[document + 1]!;
        let hasSteps = false;
        for (let at = starts[document]! + width; at < end && !hasSteps; at++) {
          // Both are read before the branch, which would be mispredicted for most common tokens.
          if ((closes[tokens[at]!]! & opens[tokens[at - width]!]!) === 0) continue;
          let same = 0;
          while (same < middle.length && tokens[at - width + 1 + same] === middle[same]) same++;
          hasSteps = same === middle.length;
        }
        if (!hasSteps) candidates[word]! &= ~bit;
      }
    }
    return candidates;
  }
}
