import { createHmac } from 'node:crypto';
import { setImmediate as pause, setTimeout as delay } from 'node:timers/promises';
import type { Meters } from '../base/meters.ts';
import { FAILED_MS, type Worker, type WorkerOptions } from './dispatcher.ts';
import { paceOf } from './hosts.ts';
import type { Outcome } from './outbound/outbound.ts';
import { IN_A_ROW_MS, type Task } from './schedule.ts';
import type { Deliveries, Delivery, Settled } from './store/deliveries.ts';
import { topicFiles, type TopicEdition, type TopicFile } from './store/topics.ts';
import { answerOf, Outages, verdictOn, type Verdict } from './verdict.ts';

/** Small, because only the status of the response matters. */
const ANSWER_BYTES = 4096;
/** Delay after the content could not be read. */
const UNREADABLE_MS = 60_000;
/** On SQLite a commit blocks this process, so they are at least this far apart. */
const GATHER_MS = 50;
/** A longer transaction would block the process noticeably. */
const WRITTEN_AT_ONCE = 250;

export interface DistributorOptions extends WorkerOptions {
  deliveries: Deliveries;
  /** Returns the current edition. */
  edition: () => TopicEdition;
  meters: Meters;
  /** Seconds to wait after the first and the second failure in a row. */
  retrySeconds: readonly number[];
  /** Returns the share of all hosts that this process delivers to, 0 to 1. */
  share: () => number;
}

/** Delivers the newest content of each topic to its subscriptions (WebSub, section 7). */
export class Distributor implements Worker {
  readonly #options: DistributorOptions;
  readonly #outages: Outages;
  readonly #count: (labels: { outcome: Verdict['kind'] }) => void;
  #unwritten: { settled: Settled; done: () => void }[] = [];
  #isWriting = false;

  constructor(options: DistributorOptions) {
    this.#options = options;
    this.#outages = new Outages(options.logger, options.share);
    this.#count = options.meters.counter(
      'reviews_hub_deliveries_total',
      'Deliveries, by what became of them: delivered, retry (it comes again), removed (the subscription ended), released (it says nothing of the callback).',
      ['outcome'],
    );
  }

  /** True if every outcome is written or given up. */
  get isIdle(): boolean {
    return this.#unwritten.length === 0;
  }

  async *due(): AsyncGenerator<Task[]> {
    for (const file of topicFiles(this.#options.edition())) {
      for await (const page of this.#options.deliveries.due(file)) {
        yield page;
        await pause(); // SQLite answers synchronously, so nothing else would run
      }
    }
  }

  async run(ids: readonly number[], keep: (id: number) => () => void): Promise<number | undefined> {
    const { deliveries, edition, leads, now } = this.#options;
    let longestMs: number | undefined;
    const takenAt = now();
    const taken = await deliveries.take(ids);
    const files = topicFiles(edition());
    for (const delivery of taken) {
      const waited = now() - takenAt;
      const file = files.find(({ url }) => url === delivery.topicUrl);
      const isLate = longestMs !== undefined && waited > IN_A_ROW_MS;
      const isOver = delivery.takenAt + waited >= delivery.expiresAt;
      const isOurs = leads(delivery.part);
      if (!isOurs || isLate || isOver || file?.etag !== delivery.etag) continue;
      const startedAt = now();
      const settled = await this.#deliver(delivery, file);
      longestMs = Math.max(longestMs ?? 0, now() - startedAt);
      if (settled) this.#settle(settled, keep(delivery.id));
    }
    return longestMs;
  }

  /** @returns nothing if it was not sent, and is due as before */
  async #deliver(delivery: Delivery, file: TopicFile): Promise<Settled | undefined> {
    const { cutOff, now, outbound, onStoreError, random, retrySeconds } = this.#options;
    const { host, failures, released, strikeAt, takenAt } = delivery;
    const startedAt = now();
    let body: Buffer;
    try {
      body = await file.read();
    } catch (error) {
      onStoreError(error);
      const verdict = { kind: 'released', released, delayMs: UNREADABLE_MS } as const;
      return { delivery, verdict, answered: false };
    }
    const outcome = await outbound.send({
      method: 'POST',
      url: delivery.callback,
      headers: { ...file.headers, ...signatureHeaders(delivery.secret, body) },
      body,
      maxBody: ANSWER_BYTES,
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return undefined;
    const pace = paceOf(now() - startedAt);
    const isOutage = this.#outages.note(host, takenAt - delivery.answeredAt, outcome);
    const attempt = { failures, released, takenAt, strikeAt, isOutage };
    const verdict = verdictOn(attempt, outcome, retrySeconds, random());
    this.#count({ outcome: verdict.kind });
    this.#report(delivery, outcome, verdict);
    return { delivery, verdict, pace, answered: outcome.kind === 'response' };
  }

  #report({ host, topicUrl: topic }: Delivery, outcome: Outcome, { kind }: Verdict): void {
    const level = kind === 'delivered' ? 'debug' : 'info';
    if (!this.#options.logger.enabled(level)) return;
    const message = { delivered: 'delivered', removed: 'subscription removed' }[kind as string];
    const fields = { host, topic, answer: answerOf(outcome) };
    this.#options.logger.log(level, message ?? 'not delivered', fields);
  }

  /** @param done called once the outcome is written or given up */
  #settle(settled: Settled, done: () => void): void {
    this.#unwritten.push({ settled, done });
    if (!this.#isWriting) void this.#write();
  }

  /**
   * Writes outcomes in batches, each until the store has taken it. Once exchanges are cut off, each is
   * tried once more; without a written outcome, a delivery is repeated.
   */
  async #write(): Promise<void> {
    const { cutOff, deliveries, onStoreError } = this.#options;
    this.#isWriting = true;
    while (this.#unwritten.length > 0) {
      const batch = this.#unwritten.slice(0, WRITTEN_AT_ONCE);
      let isOver = true;
      try {
        await deliveries.settle(batch.map(({ settled }) => settled));
      } catch (error) {
        onStoreError(error);
        isOver = cutOff();
      }
      if (isOver) {
        this.#unwritten.splice(0, batch.length);
        for (const { done } of batch) done();
      }
      await delay(isOver ? GATHER_MS : FAILED_MS);
    }
    this.#isWriting = false;
  }
}

/** Returns the header that signs a delivery, none without a secret. */
export function signatureHeaders(secret: string | null, body: Buffer): Record<string, string> {
  if (secret === null) return {};
  return { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}
