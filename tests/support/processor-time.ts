import { readFileSync } from 'node:fs';

/**
 * Returns milliseconds of processor time that this thread has used, because the wall clock would count
 * other programs. Only Linux tells it.
 */
export function processorTime(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Returns the milliseconds of processor time that work of this thread takes. */
export function processorTimeOf(work: () => unknown): number {
  const began = processorTime();
  work();
  return processorTime() - began;
}
