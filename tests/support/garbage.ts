import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Finalizers run after a collection; what they release is freed by the next one. */
const COLLECTIONS = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof gc>;

/** Collects all garbage of this process, including what finalizers release. */
export async function collectGarbage(): Promise<void> {
  for (let count = 0; count < COLLECTIONS; count++) {
    await collect({ type: 'major', execution: 'async' });
    await setImmediate();
  }
}
