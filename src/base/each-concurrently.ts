/**
 * Works on all items, `width` at a time. After an error no other item is started; the signal stops
 * those in progress, and once they have ended the error is thrown.
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
  const errors: unknown[] = [];
  const workers = Array.from({ length: width }, () =>
    worker().catch((error: unknown) => {
      errors.push(error);
      stop.abort();
    }),
  );
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
}
