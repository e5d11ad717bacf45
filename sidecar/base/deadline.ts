/**
 * Does work that has some milliseconds. Then its signal is aborted, and nobody waits for it any more.
 * The timer ends with the work, because it would keep alive what the work holds.
 *
 * @param late message of the error after that time
 * @throws what the work throws, or that error
 */
export async function withDeadline<T>(
  ms: number,
  late: string,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(late);
    deadline.abort(error);
    reject(error);
  }, ms);
  try {
    return await Promise.race([Promise.try(work, deadline.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
