import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { coalesced } from '../../sidecar/base/coalesced.ts';

test('calls during a run lead to one more run after it, again and again', async () => {
  const open: (() => void)[] = [];
  let begun = 0;
  const run = coalesced(() => {
    const number = ++begun;
    return new Promise<number>((resolve) => open.push(() => resolve(number)));
  });
  let running = run();
  for (let number = 1; number < 4; number++) {
    const later = [run(), run()];
    await turn();
    assert.deepEqual([begun, open.length], [number, 1], 'one at a time');
    open.pop()!();
    assert.equal(await running, number);
    await turn();
    assert.equal(begun, number + 1);
    assert.equal(later[0], later[1]);
    running = later[0]!;
  }
});
