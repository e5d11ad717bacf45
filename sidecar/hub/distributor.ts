import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Meters } from '../base/meters.ts';
import { Batch } from './batch.ts';
import { withParameters } from './callback.ts';
import { Coalesced } from './coalesced.ts';
import { Contents } from './contents.ts';
import type { Lanes } from './lanes.ts';
import { notificationHeaders } from './notification.ts';
import type { Outcome } from './outbound/outbound.ts';
import { Settlements } from './settlements.ts';
import type { ClaimedDelivery, Deliveries, Verdict } from './store/deliveries.ts';
import type { Content, Topics } from './store/topics.ts';
import { delivered, notDelivered, retryDelay } from './subscription.ts';
import { CLAIM_MS, EXCHANGE_MS, isSuccess, type Work } from './work.ts';

const GONE = 410;
/** Of an answer to a delivery only the status counts. */
const ANSWER_BYTES = 4096;
const CLAIMED_AT_ONCE = 256;
const CLAIMED_PER_HOST = 256;

export interface DistributorOptions extends Work {
  deliveries: Deliveries;
  topics: Topics;
  /** Seconds to wait after the first and the second failure in a row. */
  retrySeconds: readonly number[];
  /** 0 to 1. */
  random: () => number;
  meters: Meters;
}

/** Brings every subscription the newest content of its topic (WebSub, section 7). */
export class Distributor {
  readonly #options: DistributorOptions;
  readonly #lanes: Lanes;
  readonly #contents: Contents;
  readonly #settlements: Settlements;
  readonly #count: (labels: { outcome: Verdict['kind'] }) => void;
  readonly #claiming = new Coalesced(() => this.#claim());

  constructor(options: DistributorOptions, lanes: Lanes) {
    this.#options = options;
    this.#lanes = lanes;
    this.#contents = new Contents(options.topics);
    this.#count = options.meters.counter(
      'reviews_hub_deliveries_total',
      'Deliveries, by what became of them: delivered, retry (it comes again), removed (the subscription ended), released (it says nothing of the callback).',
      ['outcome'],
    );
    this.#settlements = new Settlements(options.deliveries, options.onStoreFault);
  }

  /** Takes what is due and begins it, as far as there is room. */
  run(): Promise<void> {
    return this.#claiming.run();
  }

  /** Resolves when no outcome waits to be written. */
  idle(): Promise<void> {
    return this.#settlements.idle();
  }

  /** Lets go of the contents while nobody is owed any. */
  forgetContents(): void {
    this.#contents.forget();
  }

  /** Gives up writing what could not be written so far. */
  abandon(): void {
    this.#settlements.abandon();
  }

  async #claim(): Promise<void> {
    const { deliveries, onStoreFault, now, stopping } = this.#options;
    while (!stopping() && !this.#lanes.full) {
      let claimed: ClaimedDelivery[];
      try {
        claimed = await deliveries.claim({
          limit: CLAIMED_AT_ONCE,
          perHost: CLAIMED_PER_HOST,
          busyHosts: this.#lanes.busyHosts('delivery'),
          claimMs: CLAIM_MS,
        });
      } catch (error) {
        return onStoreFault(error);
      }
      if (claimed.length === 0) return;
      await nextTurn(); // SQLite answers at once, so nothing else would have had one
      const batch = new Batch(deliveries, claimed, now());
      for (const delivery of claimed) {
        this.#lanes.add(delivery.host, 'delivery', () => this.#deliver(delivery, batch));
      }
    }
  }

  async #deliver(delivery: ClaimedDelivery, batch: Batch): Promise<void> {
    const { onStoreFault, now, outbound, stopping } = this.#options;
    let content: Content;
    let headers: Record<string, string>;
    try {
      if (stopping()) return this.#settlements.add({ delivery, verdict: { kind: 'released' } });
      if (!(await batch.take(delivery, now()))) return;
      if (delivery.claimedAt + now() - batch.claimedAt >= delivery.expiresAt) return;
      content = await this.#contents.take(delivery.topicId, delivery.version);
      headers = await notificationHeaders(content, delivery.secret);
    } catch (error) {
      return onStoreFault(error);
    }
    const outcome = await outbound.send({
      method: 'POST',
      url: delivery.callback,
      headers,
      body: content.bytes,
      maxBody: ANSWER_BYTES,
      deadlineMs: EXCHANGE_MS,
    });
    const verdict = this.#judge(delivery, content, outcome);
    this.#count({ outcome: verdict.kind });
    this.#report(delivery, content, outcome, verdict);
    this.#settlements.add({ delivery, verdict });
  }

  #judge(delivery: ClaimedDelivery, { version }: Content, outcome: Outcome): Verdict {
    const { retrySeconds, random, cutOff } = this.#options;
    if (isSuccess(outcome)) {
      return { kind: 'delivered', version: delivered(delivery, version).acknowledged };
    }
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return { kind: 'released' };
    if (outcome.kind === 'response' && outcome.status === GONE) return { kind: 'removed' };
    const standing = notDelivered(delivery, version);
    if (!standing) return { kind: 'removed' };
    const { failures } = standing;
    return { kind: 'retry', failures, delayMs: retryDelay(failures, retrySeconds, random()) };
  }

  #report(delivery: ClaimedDelivery, content: Content, outcome: Outcome, verdict: Verdict): void {
    const { logger } = this.#options;
    const { host } = delivery;
    const answer = outcome.kind === 'response' ? outcome.status : outcome.reason;
    const fields = { host, topic: content.url, answer };
    if (verdict.kind === 'delivered') return logger.log('debug', 'delivered', fields);
    if (verdict.kind !== 'removed') return logger.log('info', 'not delivered', fields);
    logger.log('info', 'subscription removed', fields);
    if (outcome.kind === 'response' && outcome.status === GONE) return;
    this.#lanes.add(host, 'delivery', () => this.#deny(delivery, content));
  }

  /** Says once that the subscription has ended (WebSub, section 5.2); nothing hangs on the answer. */
  async #deny({ callback }: ClaimedDelivery, { url }: Content): Promise<void> {
    await this.#options.outbound.send({
      method: 'GET',
      url: withParameters(callback, {
        'hub.mode': 'denied',
        'hub.topic': url,
        'hub.reason': 'three deliveries in a row were not acknowledged',
      }),
      headers: {},
      maxBody: 0,
      deadlineMs: EXCHANGE_MS,
    });
  }
}
