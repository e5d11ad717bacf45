import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lru } from '../../src/base/kept.ts';

/** Returns which of these keys are kept. */
const kept = (lru: Lru<number>, keys: string) =>
  [...keys].filter((key) => lru.find(key) !== undefined).join('');

test('a full cache forgets the value that was not used for longest', () => {
  const lru = new Lru<number>(100, (cost) => cost);
  for (const key of 'abc') lru.keep(key, 30);
  lru.find('a');
  lru.keep('d', 30);
  assert.equal(kept(lru, 'bcad'), 'cad');
  lru.keep('e', 70);
  assert.equal(kept(lru, 'cade'), 'de');
  lru.keep('f', 101);
  assert.equal(kept(lru, 'def'), 'de', 'what costs more than all takes the place of nothing');
});

test('a key may cost as well, so that values that cost nothing are forgotten', () => {
  const lru = new Lru<number>(3, (cost, key) => cost + key.length);
  for (const key of ['a', 'b', 'c', 'd']) lru.keep(key, 0);
  assert.equal(kept(lru, 'abcd'), 'bcd');
});
