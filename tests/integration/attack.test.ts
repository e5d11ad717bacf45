import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack } from '../attack/attack.ts';
import { FAMILIES } from '../attack/families.ts';

// The short scale; `npm run attack` uses the long one, and has more families.

for (const family of FAMILIES.filter(({ isLong }) => !isLong)) {
  test(`withstands: ${family.name}`, async () => {
    const rows = await attack(family, 'short');
    assert.deepEqual(
      rows.filter(({ ok }) => !ok),
      [],
    );
  });
}

test('a family that throws, or measures nothing, has failed', async () => {
  const broken = { name: 'broken', run: () => Promise.reject(new Error('no port')) };
  const empty = { name: 'empty', run: async () => [] };
  for (const family of [broken, empty]) {
    const rows = await attack(family, 'short');
    assert.deepEqual(
      rows.map(({ ok }) => ok),
      [false],
    );
  }
});
