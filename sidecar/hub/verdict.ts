import type { Logger } from '../base/log.ts';
import { isSuccess, type Outcome } from './outbound/outbound.ts';
import { LONGEST_WAIT_MS } from './store/tables.ts';

/** The result of a delivery. */
export type Verdict =
  | { kind: 'delivered' }
  /**
   * A failure that counts.
   *
   * @param strikeMs until another failure counts
   * @param delayMs until another try; not more than `strikeMs`
   */
  | { kind: 'retry'; failures: number; strikeMs: number; delayMs: number }
  /** A failure that does not count; `released` is the number of the hub's own outages. */
  | { kind: 'released'; released: number; delayMs: number }
  /** @param reason sent to the subscriber; none after a 410 */
  | { kind: 'removed'; reason?: string };

/** The parts of a delivery that decide its verdict. */
export interface Attempt {
  /** Consecutive failures before. */
  failures: number;
  /** Failures since the last success that did not count because of an outage. */
  released: number;
  /** By the database's clock. */
  takenAt: number;
  /** Failures count from this time on. */
  strikeAt: number;
  /** The failure seems to be the hub's. */
  isOutage: boolean;
}

/** Consecutive failures that remove a subscription (contract, section 8). */
const STRIKES = 3;
/** Failures because of an outage that do not count, until there is a success. */
const MAX_RELEASED = 3;
/** Interval of further tries while a host cannot be reached, which count for nothing. */
const LOOK_MS = 300_000;
const DAY_MS = 86_400_000;
/** Random parts of a wait: with more of them, due deliveries would need more writes. */
const JITTERS = 8;

/**
 * Returns the verdict on a delivery, by the first line that fits:
 *
 * | outcome                                 | verdict                    | next try                |
 * | --------------------------------------- | -------------------------- | ----------------------- |
 * | 2xx                                     | delivered                  |                         |
 * | an outage of the hub, up to three times | released, one outage more  | after a retry's wait    |
 * | 410                                     | removed, without a reason  |                         |
 * | any, before a failure counts again      | released                   | when it does, or a look |
 * | the third failure in a row              | removed, with the reason   |                         |
 * | another failure                         | retry, one failure more    | after its wait, or a look |
 *
 * A look comes after five minutes, if the host could not be reached.
 *
 * @param retrySeconds the waits after the first and the second failure in a row
 * @param random 0 to below 1
 */
export function verdictOn(
  { failures, released, takenAt, strikeAt, isOutage }: Attempt,
  outcome: Outcome,
  retrySeconds: readonly number[],
  random: number,
): Verdict {
  const wait = (failures: number) => retryWait(failures, retrySeconds, random);
  if (isSuccess(outcome)) return { kind: 'delivered' };
  if (isOutage && released < MAX_RELEASED) {
    return { kind: 'released', released: released + 1, delayMs: wait(released + 1) };
  }
  if (outcome.kind === 'response' && outcome.status === 410) return { kind: 'removed' };
  const lookMs = outcome.kind === 'failure' && outcome.unreached ? LOOK_MS : Infinity;
  const leftMs = strikeAt - takenAt;
  if (leftMs > 0 && leftMs <= LONGEST_WAIT_MS) {
    return { kind: 'released', released, delayMs: Math.min(lookMs, leftMs) };
  }
  if (failures + 1 >= STRIKES) {
    const last = answerOf(outcome);
    const reason = `three deliveries in a row were not acknowledged, the last with: ${last}`;
    return { kind: 'removed', reason };
  }
  const askedMs = outcome.kind === 'response' ? (outcome.retryAfterMs ?? 0) : 0;
  const strikeMs = Math.max(wait(failures + 1), askedMs);
  return { kind: 'retry', failures: failures + 1, strikeMs, delayMs: Math.min(lookMs, strikeMs) };
}

/** Returns the status of a response, or why there is none. */
export function answerOf(outcome: Outcome): string {
  return outcome.kind === 'response' ? String(outcome.status) : outcome.reason;
}

/** Returns milliseconds, up to a tenth more at random, so that failures of a time part. */
function retryWait(failures: number, seconds: readonly number[], random: number): number {
  const jitter = Math.floor(random * JITTERS) / JITTERS;
  const ms = seconds[Math.min(failures, seconds.length) - 1]! * 1000;
  return Math.min(Math.round(ms * (1 + jitter / 10)), DAY_MS);
}

/** If fewer other hosts fail, a failure that may be the host's own counts. A replica needs its share of them. */
const MIN_OTHERS = 10;
const REMEMBERED = 1_000;

/**
 * Tells an outage of the hub from one of its subscribers, so that no subscription ends because the
 * hub's own network, resolver or clock is broken. It is proved by other hosts that responded within a
 * day and fail now, while nobody responds: anybody can make names that never lead anywhere.
 */
export class Outages {
  readonly #logger: Logger;
  readonly #share: () => number;
  /** Hosts that responded before, and have failed since the last response of any host. */
  readonly #failing = new Set<string>();
  #isOut = false;

  /** @param share returns the share of all hosts whose exchanges are noted here, 0 to 1 */
  constructor(logger: Logger, share: () => number) {
    this.#logger = logger;
    this.#share = share;
  }

  /**
   * Notes the result of an exchange.
   *
   * @param silentMs milliseconds since the host last responded
   * @returns true if it failed because of an outage of the hub
   */
  note(host: string, silentMs: number, outcome: Outcome): boolean {
    if (outcome.kind === 'response') {
      this.#failing.clear();
      this.#say(false);
      return false;
    }
    const others = this.#failing.size - Number(this.#failing.has(host));
    const least = outcome.unclear === true ? 1 : MIN_OTHERS * this.#share();
    const isOut = others >= Math.max(1, least);
    if (silentMs < DAY_MS && this.#failing.size < REMEMBERED) this.#failing.add(host);
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
