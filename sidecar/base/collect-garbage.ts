import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: NonNullable<typeof gc> | undefined;

/**
 * Collects all garbage and returns its memory to the system, in some tens of milliseconds. Left alone,
 * V8 lets hundreds of megabytes gather before it collects any, and keeps the memory for more.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof gc>;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
