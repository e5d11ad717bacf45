import assert from 'node:assert/strict';
import { setInterval } from 'node:timers/promises';

const PATIENCE_MS = 20_000;

/**
 * Until something is so; by the real clock, also in a test whose `setTimeout` is mocked.
 *
 * @throws when it is not in 20 s
 */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - began < PATIENCE_MS, `never so: ${isSo}`);
    await realTime(5);
  }
}

/** Lets time pass, also in a test whose `setTimeout` is mocked. */
export async function realTime(ms: number): Promise<void> {
  for await (const _ of setInterval(ms)) return;
}
