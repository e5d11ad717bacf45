import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../../src/search/steps.ts';

/** Does each step in a turn of its own, so that requests are served between them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
