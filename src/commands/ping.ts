import { setTimeout as delay } from 'node:timers/promises';
import { PingError, pingHub } from '../build/ping-hub.ts';
import { hubUrl, siteUrl } from '../build/settings.ts';
import type { Command } from '../run-command.ts';

/** Seconds between one attempt and the next. */
const WAITS = [1, 4, 15];
/** Seconds; a hub that asks for more in Retry-After is not retried. */
const LONGEST_WAIT = 120;

/** Tells the hub that the topics changed. */
export const ping: Command = async (_, print) => {
  const site = siteUrl(process.env);
  const hub = hubUrl(process.env, site);
  await pingPersistently(
    () => pingHub(hub, site),
    (seconds) => delay(seconds * 1000),
    (line) => process.stderr.write(`${line}\n`),
  );
  print(`notified ${hub}`);
};

/**
 * Pings until the hub accepts: a deploy may be over before the hub is up again.
 *
 * @param wait resolves after that many seconds
 * @param tell gets one line for each failed attempt that will be retried
 * @throws {PingError} of the last attempt, or of the first that a retry cannot fix
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

/** Returns the seconds to wait before a retry; undefined when no retry would help. */
function pauseAfter(error: unknown, usual: number): number | undefined {
  if (!(error instanceof PingError) || !error.transient) return undefined;
  return error.retryAfter > LONGEST_WAIT ? undefined : Math.max(usual, error.retryAfter);
}
