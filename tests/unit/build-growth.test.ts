import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGrowth, FAMILIES } from '../attack/build-growth.ts';

/** The bench has the figure; here quadratic time, 2, fails on the busiest machine. */
const LINEAR = 1.5;

test('no repeated phrase makes a step of the build take more than linear time', () => {
  assert.ok(Object.keys(FAMILIES).length >= 10);
  const slow = buildGrowth(4_000).filter(({ exponent }) => exponent > LINEAR);
  assert.deepEqual(slow, []);
});
