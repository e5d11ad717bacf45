import { filterInPieces, type Pieces } from './pieces.ts';
import { FOUND_FROM, WEIGHT, type Concept } from './word-forms.ts';
import { markedOf, SENTENCE_END, type Places, type WordIndex } from './word-index.ts';

/** Words between the first and the last of some that are near each other, besides themselves. */
const NEAR = 3;
/** Reviews whose words are read between two pauses. */
const TEXTS = 256;

// Finds the reviews that have some words, anywhere or together.

/**
 * Raises numbers by reviews to the greatest weight by which each review meets a concept.
 *
 * @param weights 0 at first
 */
export function weigh(
  weights: Float32Array,
  { forms, pairs }: Concept,
  places: Places,
  index: WordIndex,
): void {
  for (const [id, weight] of forms) index.raise(weights, id, places, weight);
  for (const [first, second] of pairs) {
    for (const review of index.sideBySide(first, second, places)) weights[review] = WEIGHT.joined;
  }
}

/** Returns the reviews with all of some words. */
export function* allOf(
  concepts: readonly Concept[],
  places: Places,
  index: WordIndex,
): Pieces<number[]> {
  // The number of the words that a review has, from the first on.
  const marks = new Uint8Array(index.count);
  for (const [before, { forms, pairs }] of concepts.entries()) {
    for (const [id, weight] of forms) {
      if (weight >= FOUND_FROM) index.raise(marks, id, places, before + 1, before);
    }
    for (const [first, second] of pairs) {
      for (const review of index.sideBySide(first, second, places)) {
        if (marks[review] === before) marks[review]!++;
      }
    }
    yield;
  }
  return markedOf(marks, concepts.length);
}

/** Returns the reviews with some words side by side, of those that have all of them. */
export function* phraseOf(
  concepts: readonly Concept[],
  places: Places,
  index: WordIndex,
): Pieces<number[]> {
  const all = yield* allOf(concepts, places, index);
  if (concepts.length < 2) return all;
  const met = wordsMeeting(concepts, index);
  const hasPhrase = (words: Uint32Array): boolean => {
    for (let at = 0; at < words.length; at++) {
      if ((met[words[at]!]! & 1) !== 0 && endOfPhrase(words, at, concepts)) return true;
    }
    return false;
  };
  const isWanted = (review: number) => index.wordsOf(review, places).some(hasPhrase);
  return yield* filterInPieces(all, isWanted, TEXTS);
}

/** Returns the reviews with some words in one sentence, a few words apart. */
export function* nearOf(
  concepts: readonly Concept[],
  places: Places,
  index: WordIndex,
): Pieces<number[]> {
  const all = yield* allOf(concepts, places, index);
  const met = wordsMeeting(concepts, index);
  const isNear = (words: Uint32Array): boolean => {
    const last = concepts.map(() => -Infinity);
    return words.some((word, at) => {
      if (word === SENTENCE_END) last.fill(-Infinity);
      const bits = met[word]!;
      if (bits === 0) return false;
      for (let concept = 0; concept < last.length; concept++) {
        if ((bits & (1 << concept)) !== 0) last[concept] = at;
      }
      return Math.min(...last) > at - concepts.length - NEAR;
    });
  };
  const isWanted = (review: number) => index.wordsOf(review, places).some(isNear);
  return yield* filterInPieces(all, isWanted, TEXTS);
}

/** Returns for each word of the reviews which words of a query it meets, as bits. */
export function wordsMeeting(concepts: readonly Concept[], { terms }: WordIndex): Uint32Array {
  const met = new Uint32Array(terms.length);
  for (const [at, { forms, pairs, joined }] of concepts.entries()) {
    const firsts = pairs.map(([first]) => first);
    for (const word of [...forms.keys(), ...joined, ...firsts]) met[word]! |= 1 << at;
  }
  return met;
}

/** Returns the end of the phrase that begins at a place of a text; undefined if there is none. */
export function endOfPhrase(
  words: ArrayLike<number | undefined>,
  at: number,
  concepts: readonly Concept[],
  index = 0,
): number | undefined {
  if (index >= concepts.length) return at;
  const word = words[at];
  if (word === undefined) return undefined;
  const { forms, pairs, joined } = concepts[index]!;
  if (joined.has(word)) {
    const end = endOfPhrase(words, at + 1, concepts, index + 2);
    if (end !== undefined) return end;
  }
  if ((forms.get(word) ?? 0) >= FOUND_FROM) {
    const end = endOfPhrase(words, at + 1, concepts, index + 1);
    if (end !== undefined) return end;
  }
  for (const [first, second] of pairs) {
    if (word !== first || words[at + 1] !== second) continue;
    const end = endOfPhrase(words, at + 2, concepts, index + 1);
    if (end !== undefined) return end;
  }
  return undefined;
}
