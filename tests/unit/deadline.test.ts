import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDeadline } from '../../sidecar/base/deadline.ts';

const LIMIT = { timeout: 5_000 };

test('work that ends in time leaves no timer behind', LIMIT, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal) => {
    signal = given;
    return 'done';
  };
  assert.equal(await withDeadline(10, 'late', work), 'done');
  const failing = () => Promise.reject(new Error('its own'));
  await assert.rejects(withDeadline(10, 'late', failing), /its own/);
  context.mock.timers.tick(10);
  assert.equal(signal!.aborted, false);
});

test('work that takes longer is aborted, and nobody waits for it', LIMIT, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let signal: AbortSignal | undefined;
  const pending = withDeadline(10, 'late', (given) => {
    signal = given;
    return new Promise<never>(() => {});
  });
  context.mock.timers.tick(10);
  await assert.rejects(pending, /late/);
  assert.equal(signal!.aborted, true);
});
