/** A set of small whole numbers, 32 per word. */
export type Bitset = Uint32Array;

export function createBitset(size: number): Bitset {
  return new Uint32Array((size + 31) >>> 5);
}

export function addBit(set: Bitset, index: number): void {
  set[index >>> 5]! |= 1 << (index & 31);
}

export function addAll(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word++) target[word]! |= other[word]!;
}

export function keepCommon(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word++) target[word]! &= other[word]!;
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

export function countBits(set: Bitset): number {
  let count = 0;
  for (let word = 0; word < set.length; word++) {
    let bits = set[word]!;
    if (bits === 0) continue;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Returns the lowest members, at most `limit`, ascending. */
export function firstBits(set: Bitset, limit: number): number[] {
  const found: number[] = [];
  for (let word = 0; word < set.length && found.length < limit; word++) {
    for (let bits = set[word]!; bits !== 0 && found.length < limit; bits &= bits - 1) {
      found.push((word << 5) + 31 - Math.clz32(bits & -bits));
    }
  }
  return found;
}
