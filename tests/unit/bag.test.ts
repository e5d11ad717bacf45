import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bag } from '../../sidecar/hub/bag.ts';
import { Random } from '../support/random.ts';

test('each item leaves once, in random order, and can leave from anywhere', () => {
  const random = new Random(1);
  const orders = new Set<string>();
  for (let round = 0; round < 100; round++) {
    const bag = new Bag<string>(() => random.next());
    for (const item of 'abbacdd') bag.add(item);
    assert.equal(bag.size, 4);
    assert.ok(bag.delete('b'));
    assert.ok(!bag.delete('b'));
    const taken: string[] = [];
    for (let item; (item = bag.take()) !== undefined;) taken.push(item);
    assert.deepEqual(taken.toSorted(), ['a', 'c', 'd']);
    assert.equal(bag.size, 0);
    orders.add(taken.join(''));
  }
  assert.equal(orders.size, 6);
});
