/**
 * Works on all items, `width` at a time. After a failure nothing new is begun and what is under way
 * is told to stop; when it has, the failure is thrown.
 */
export async function eachConcurrently<T>(
  items: readonly T[],
  width: number,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (stop.signal.aborted) return;
      await work(item, stop.signal);
    }
  };
  const failures: unknown[] = [];
  const workers = Array.from({ length: width }, () =>
    worker().catch((error: unknown) => {
      failures.push(error);
      stop.abort();
    }),
  );
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}
