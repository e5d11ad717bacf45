import assert from 'node:assert/strict';
import { setInterval } from 'node:timers/promises';

/** Only a test that fails waits as long; far above what starting Astro takes on a busy machine. */
const PATIENCE_MS = 120_000;

/**
 * Waits until a condition is true, by the real clock even if the test mocks `setTimeout`.
 *
 * @throws after two minutes
 */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - began < PATIENCE_MS, `never so: ${isSo}`);
    await realTime(5);
  }
}

/** Waits by the real clock, even if the test mocks `setTimeout`. */
export async function realTime(ms: number): Promise<void> {
  for await (const _ of setInterval(ms)) return;
}
