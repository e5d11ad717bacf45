import type { Logger } from '../base/log.ts';
import type { Outcome } from './outbound/outbound.ts';

/** At least this many others must fail if a failure looks like the host's own. */
const LEAST_OTHERS = 10;
const REMEMBERED = 1_000;

/**
 * Tells an outage of the hub from one of its subscribers, so that no subscription ends because the
 * hub's own network, resolver or clock is broken. It is proved by other hosts that responded within a
 * day and fail now, while nobody responds: anybody can make names that never lead anywhere.
 */
export class Outages {
  readonly #logger: Logger;
  /** Hosts that responded before and have failed since anybody responded. */
  readonly #failing = new Set<string>();
  #isOut = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Notes the result of an exchange.
   *
   * @param isKnown the host responded within a day
   * @returns true if it failed because of an outage of the hub
   */
  note(host: string, isKnown: boolean, outcome: Outcome): boolean {
    if (outcome.kind === 'response') {
      this.#failing.clear();
      this.#say(false);
      return false;
    }
    const others = this.#failing.size - Number(this.#failing.has(host));
    const isOut = others >= (outcome.unclear === true ? 1 : LEAST_OTHERS);
    if (isKnown && this.#failing.size < REMEMBERED) this.#failing.add(host);
    this.#say(isOut);
    return isOut;
  }

  #say(isOut: boolean): void {
    if (this.#isOut === isOut) return;
    this.#isOut = isOut;
    if (isOut) {
      this.#logger.log('warn', 'failed deliveries do not count: the failure seems to be here');
    } else this.#logger.log('info', 'failed deliveries count again');
  }
}
