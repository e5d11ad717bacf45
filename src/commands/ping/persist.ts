import { PingError } from '../../build/ping-hub.ts';

/** Seconds between one attempt and the next. */
const WAITS = [1, 4, 15];
/** A hub that asks for more is not waited for. */
const LONGEST_WAIT = 120;

/**
 * Pings until the hub takes it: a deploy may well be over before the hub is up again.
 *
 * @param wait resolves after so many seconds
 * @param tell is given a line for each attempt that failed and is followed by another
 * @throws {PingError} what the last attempt came to, or the first that no other would mend
 */
export async function pingPersistently(
  ping: () => Promise<void>,
  wait: (seconds: number) => Promise<unknown>,
  tell: (line: string) => void,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ping();
    } catch (error) {
      const pause = attempt < WAITS.length ? pauseAfter(error, WAITS[attempt]!) : undefined;
      if (pause === undefined) throw error;
      tell(`${(error as Error).message}; again in ${pause} s`);
      await wait(pause);
    }
  }
}

/** Seconds to wait before another attempt; undefined where none would help. */
function pauseAfter(error: unknown, usual: number): number | undefined {
  if (!(error instanceof PingError) || !error.transient) return undefined;
  return error.retryAfter > LONGEST_WAIT ? undefined : Math.max(usual, error.retryAfter);
}
