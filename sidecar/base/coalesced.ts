/**
 * Returns work that never runs concurrently. Any number of calls during a run lead to one more run, and each
 * call resolves after a run that began after it.
 *
 * @param work does not throw
 */
export function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    if (!running) return (running = work().finally(() => (running = undefined)));
    return (next ??= running.then(() => {
      next = undefined;
      return run();
    }));
  };
  return run;
}
