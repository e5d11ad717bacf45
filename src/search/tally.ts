import { countOnes, type Bitset } from './bitset.ts';

/** The positions `from <= position < to`. */
export interface Span {
  from: number;
  to: number;
}

/** Sets of reviews that a tally counts in. */
export interface Measures {
  /** Reviews whose number of stars has the bit 1, 2 or 4. */
  stars: readonly [ones: Bitset, twos: Bitset, fours: Bitset];
  positive: Bitset;
  negative: Bitset;
  replied: Bitset;
}

export interface Tally {
  n: number;
  /** The sum of the stars. */
  stars: number;
  positive: number;
  negative: number;
  replied: number;
}

/**
 * Counts the reviews that are in all of one to three sets and in a span, in one pass over the words
 * of the sets.
 */
export function tally(sets: readonly Bitset[], { from, to }: Span, measures: Measures): Tally {
  const [first, second = first, third = first] = sets as [Bitset, Bitset?, Bitset?];
  const { stars, positive, negative, replied } = measures;
  const [ones, twos, fours] = stars;
  const counted = { n: 0, stars: 0, positive: 0, negative: 0, replied: 0 };
  const last = (to - 1) >> 5;
  for (let word = from >>> 5; word <= last; word++) {
    let bits = first[word]! & second[word]! & third[word]!;
    if (word === from >>> 5) bits &= -1 << (from & 31);
    if (word === last && (to & 31) !== 0) bits &= (1 << (to & 31)) - 1;
    if (bits === 0) continue;
    counted.n += countOnes(bits);
    counted.stars += countOnes(bits & ones[word]!);
    counted.stars += 2 * countOnes(bits & twos[word]!);
    counted.stars += 4 * countOnes(bits & fours[word]!);
    counted.positive += countOnes(bits & positive[word]!);
    counted.negative += countOnes(bits & negative[word]!);
    counted.replied += countOnes(bits & replied[word]!);
  }
  return counted;
}
