import { setImmediate as nextTurn } from 'node:timers/promises';

/** Does work up to each pause in a turn of its own, so that requests are served between them. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}
