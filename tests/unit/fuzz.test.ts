import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzRun } from '../fuzz/fuzz-run.ts';

// The short form; `npm run fuzz` has the long one.

test('malformed requests and slow clients end in no crash, no 5xx and no hang', async () => {
  const { failures, statuses } = await fuzzRun({ seed: 1, from: 0, count: 1_500, slow: true });
  assert.deepEqual(failures, []);
  for (const status of ['200', '400', '404', '405', '413', '417', '431']) {
    assert.ok(statuses[status], `some requests come as far as a ${status}`);
  }
});
