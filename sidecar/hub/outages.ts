import type { Logger } from '../base/log.ts';
import type { Meters } from '../base/meters.ts';
import type { Outcome } from './outbound/exchange.ts';

/** Older results do not count. */
const WINDOW_MS = 60_000;
/** At least this many hosts must fail for an outage of the hub itself. */
const LEAST_HOSTS = 10;
/** Share of failing hosts that makes an outage. */
const MOST = 0.9;
const REMEMBERED = 1_000;

/**
 * Tells an outage of the hub from one of its subscribers, so that no subscription ends because the
 * hub's own network, resolver or clock is broken.
 */
export class Outages {
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  readonly #logger: Logger;
  /** The last result of each host, oldest first. */
  readonly #hosts = new Map<string, { at: number; answered: boolean }>();
  #answeredAt = -Infinity;
  #isOut = false;

  constructor(now: () => number, logger: Logger, meters: Meters) {
    this.#now = now;
    this.#logger = logger;
    meters.gauge(
      'reviews_hub_strikes_suspended',
      'Whether failed deliveries do not count because the failure seems to be on this side.',
      [],
      () => [[{}, this.#isOut ? 1 : 0]],
    );
  }

  /**
   * Notes the result of an exchange.
   *
   * @returns true if it failed because of an outage of the hub
   */
  note(host: string, outcome: Outcome): boolean {
    const now = this.#now();
    const answered = outcome.kind === 'response';
    this.#hosts.delete(host);
    this.#hosts.set(host, { at: now, answered });
    for (const [name, { at }] of this.#hosts) {
      if (at > now - WINDOW_MS && this.#hosts.size <= REMEMBERED) break;
      this.#hosts.delete(name);
    }
    if (answered) {
      this.#answeredAt = now;
      this.#say(false);
      return false;
    }
    const isOut = (outcome.unclear === true && !this.#anyAnswered(now)) || this.#nearlyAllFail();
    this.#say(isOut);
    return isOut;
  }

  #anyAnswered(now: number): boolean {
    return this.#answeredAt > now - WINDOW_MS;
  }

  #nearlyAllFail(): boolean {
    const hosts = [...this.#hosts.values()];
    const failed = hosts.filter(({ answered }) => !answered).length;
    return hosts.length >= LEAST_HOSTS && failed >= hosts.length * MOST;
  }

  #say(isOut: boolean): void {
    if (this.#isOut === isOut) return;
    this.#isOut = isOut;
    if (isOut)
      this.#logger.log('warn', 'failed deliveries do not count: the failure seems to be here'); // oxfmt-ignore
    else this.#logger.log('info', 'failed deliveries count again');
  }
}
