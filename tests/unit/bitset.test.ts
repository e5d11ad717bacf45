import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as bitset from '../../src/search/bitset.ts';

const SIZE = 130;
const members = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE });
const bound = fc.nat(SIZE);

function bitsetOf(numbers: Iterable<number>): bitset.Bitset {
  const bits = bitset.createBitset(SIZE);
  for (const number of numbers) bitset.addBit(bits, number);
  return bits;
}

/** Asserts that the bits are exactly the numbers, through every way to read them. */
function assertSame(bits: bitset.Bitset, expected: ReadonlySet<number>, limit = SIZE): void {
  const sorted = [...expected].sort((a, b) => a - b);
  assert.equal(bitset.countBits(bits), sorted.length);
  assert.deepEqual(bitset.firstBits(bits, limit), sorted.slice(0, limit));
  assert.deepEqual(bitset.lastBits(bits, limit), sorted.toReversed().slice(0, limit));
  assert.equal(bitset.countCommon(bits, bitset.fullBitset(SIZE)), sorted.length);
  for (let index = 0; index < SIZE; index++) {
    assert.equal(bitset.hasBit(bits, index), expected.has(index));
  }
}

test('holds what was added, and gives the lowest first', () => {
  fc.assert(
    fc.property(members, fc.nat(SIZE), (numbers, limit) => {
      assertSame(bitsetOf(numbers), new Set(numbers), limit);
    }),
  );
});

test('joins and meets like sets', () => {
  fc.assert(
    fc.property(members, members, (left, right) => {
      const [a, b] = [new Set(left), new Set(right)];
      for (const [change, expected] of [
        [bitset.addAll, a.union(b)],
        [bitset.keepCommon, a.intersection(b)],
      ] as const) {
        const target = bitsetOf(a);
        change(target, bitsetOf(b));
        assertSame(target, expected);
      }
    }),
  );
});

test('keeps a range, its first in and its last out', () => {
  fc.assert(
    fc.property(members, bound, bound, (numbers, from, to) => {
      const bits = bitsetOf(numbers);
      bitset.keepRange(bits, from, to);
      assertSame(bits, new Set(numbers.filter((number) => number >= from && number < to)));
    }),
  );
});

test('has room for sizes around a word', () => {
  for (const size of [0, 1, 31, 32, 33, 64]) {
    const bits = bitset.createBitset(size);
    for (let number = 0; number < size; number++) bitset.addBit(bits, number);
    assert.equal(bitset.countBits(bits), size);
    bitset.keepRange(bits, 0, size);
    assert.equal(bitset.countBits(bits), size);
  }
});
