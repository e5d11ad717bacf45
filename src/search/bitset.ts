/** A set of small whole numbers, 32 per word. */
export type Bitset = Uint32Array;

/** Returns the number of words of a set. */
function bitsetWords(size: number): number {
  return (size + 31) >>> 5;
}

export function createBitset(size: number): Bitset {
  return new Uint32Array(bitsetWords(size));
}

export function addBit(set: Bitset, index: number): void {
  set[index >>> 5]! |= 1 << (index & 31);
}

export function removeBit(set: Bitset, index: number): void {
  set[index >>> 5]! &= ~(1 << (index & 31));
}

export function addAll(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word++) target[word]! |= other[word]!;
}

export function keepCommon(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word++) target[word]! &= other[word]!;
}

export function dropAll(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word++) target[word]! &= ~other[word]!;
}

/** Keeps only `from <= index < to`. */
export function keepRange(set: Bitset, from: number, to: number): void {
  if (from >= to) {
    set.fill(0);
    return;
  }
  set.fill(0, 0, from >>> 5);
  set[from >>> 5]! &= -1 << (from & 31);
  const last = to >>> 5;
  if (last < set.length) {
    set[last]! &= (1 << (to & 31)) - 1;
    set.fill(0, last + 1);
  }
}

export function hasBit(set: Bitset, index: number): boolean {
  return ((set[index >>> 5]! >>> (index & 31)) & 1) === 1;
}

export function countBits(set: Bitset): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) {
    if (set[word] !== 0) count += countOnes(set[word]!);
  }
  return count;
}

/** Counts the members that two sets have in common. */
export function countCommon(a: Bitset, b: Bitset): number {
  let count = 0;
  for (let word = 0; word < a.length; word++) {
    const bits = a[word]! & b[word]!;
    if (bits !== 0) count += countOnes(bits);
  }
  return count;
}

/** Returns the number of ones in a word. */
export function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns a set of `size` numbers, all of them members. */
export function fullBitset(size: number): Bitset {
  const set = createBitset(size).fill(0xffffffff);
  keepRange(set, 0, size);
  return set;
}

/** Returns the members of any of the sets, as a new set. */
export function union(sets: readonly Bitset[], size: number): Bitset {
  const all = createBitset(size);
  for (const set of sets) addAll(all, set);
  return all;
}

/** Returns the members common to all sets, as a new set. */
export function intersection(first: Bitset, ...others: readonly Bitset[]): Bitset {
  const common = first.slice();
  for (const other of others) keepCommon(common, other);
  return common;
}

/** Returns the highest members, at most `limit`, descending. */
export function lastBits(set: Bitset, limit: number): number[] {
  const found: number[] = [];
  for (let word = set.length - 1; word >= 0 && found.length < limit; word--) {
    for (let bits = set[word]!; bits !== 0 && found.length < limit;) {
      const bit = 31 - Math.clz32(bits);
      found.push((word << 5) + bit);
      bits &= ~(1 << bit);
    }
  }
  return found;
}

/** Returns the members, or the lowest `limit` of them, ascending. */
export function firstBits(set: Bitset, limit = Infinity): number[] {
  const found: number[] = [];
  for (let word = 0; word < set.length && found.length < limit; word++) {
    for (let bits = set[word]!; bits !== 0 && found.length < limit; bits &= bits - 1) {
      found.push((word << 5) + 31 - Math.clz32(bits & -bits));
    }
  }
  return found;
}

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
