import assert from 'node:assert/strict';
import { setInterval } from 'node:timers/promises';

const PATIENCE_MS = 20_000;

/**
 * Waits until a condition is true, by the real clock even if the test mocks `setTimeout`.
 *
 * @throws after 20 s
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
