import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Meters } from '../base/meters.ts';
import { FAILED_MS, type Worker } from './dispatcher.ts';
import { paceOf } from './hosts.ts';
import { isSuccess, type Outcome } from './outbound/outbound.ts';
import { contentHeaders, signatureHeaders } from './notification.ts';
import { Outages } from './outages.ts';
import { topicFiles, type PublisherOptions } from './publisher.ts';
import type { Task } from './schedule.ts';
import { Settlements, type SettlementsOptions } from './settlements.ts';
import type { Delivery, Settled, Verdict } from './store/deliveries.ts';
import type { TopicFile } from './store/topics.ts';
import { notDelivered, retryDelay } from './subscription.ts';

const GONE = 410;
/** Small, because only the status of the response matters. */
const ANSWER_BYTES = 4096;
/** Deliveries taken together that have not started by then are released. */
const IN_A_ROW_MS = 1_000;
/** Failures that do not count, until there is a success. */
const MOST_RELEASED = 3;
/** A host that responded within this can prove that a failure is the hub's. */
const KNOWN_MS = 86_400_000;
/** While a host cannot be reached, it is tried this often in between, which does not count. */
const LOOK_MS = 300_000;
/** Delay after the content could not be read. */
const UNREADABLE_MS = 60_000;
/** Random delays of retries; more would be that many more writes. */
const JITTERS = 8;

export interface DistributorOptions
  extends SettlementsOptions, Pick<PublisherOptions, 'topics' | 'edition'> {
  meters: Meters;
  /** Seconds to wait after the first and the second failure in a row. */
  retrySeconds: readonly number[];
}

/** A topic's content with the headers that all its deliveries share. */
interface Content {
  headers: Record<string, string>;
  body: Buffer;
}

/** Delivers the newest content of each topic to its subscriptions (WebSub, section 7). */
export class Distributor implements Worker {
  readonly #options: DistributorOptions;
  readonly #outages: Outages;
  readonly #settlements: Settlements;
  readonly #count: (labels: { outcome: Verdict['kind'] }) => void;
  /** Read once for all subscribers; kept no longer than their edition. */
  #contents = new WeakMap<TopicFile, Promise<Content>>();

  constructor(options: DistributorOptions) {
    this.#options = options;
    this.#outages = new Outages(options.logger);
    this.#settlements = new Settlements(options);
    this.#count = options.meters.counter(
      'reviews_hub_deliveries_total',
      'Deliveries, by what became of them: delivered, retry (it comes again), removed (the subscription ended), released (it says nothing of the callback).',
      ['outcome'],
    );
  }

  async *due(): AsyncGenerator<Omit<Task, 'kind'>[]> {
    const { deliveries, onStoreError, topics } = this.#options;
    try {
      for (const topic of await topics.published()) {
        if (this.#fileOf(topic.url)?.etag !== topic.etag) continue; // a newer edition is on its way
        for await (const page of deliveries.due(topic)) {
          yield page.map(({ id, host, pace }) => ({ id, host, pace, client: '' }));
          await nextTurn(); // SQLite responds synchronously, so nothing else would get a turn
        }
      }
    } catch (error) {
      onStoreError(error);
    }
  }

  async run(ids: readonly number[], done: (id: number) => void): Promise<number | undefined> {
    const { deliveries, now, onStoreError, stopping } = this.#options;
    const left = new Set(ids);
    let longestMs: number | undefined;
    try {
      const takenAt = now();
      for (const delivery of await deliveries.take(ids)) {
        const waited = now() - takenAt;
        const file = this.#fileOf(delivery.topicUrl);
        const isLate = longestMs !== undefined && waited > IN_A_ROW_MS;
        const isOver = delivery.takenAt + waited >= delivery.expiresAt;
        if (stopping() || isLate || isOver || file?.etag !== delivery.etag) continue;
        left.delete(delivery.id);
        const startedAt = now();
        const settled = await this.#deliver(delivery, file);
        if (settled) this.#settlements.add(settled, () => done(delivery.id));
        else done(delivery.id);
        longestMs = Math.max(longestMs ?? 0, now() - startedAt);
      }
    } catch (error) {
      onStoreError(error);
      await delay(FAILED_MS);
    }
    for (const id of left) done(id);
    return longestMs;
  }

  #fileOf(url: string): TopicFile | undefined {
    return topicFiles(this.#options.edition()).find((file) => file.url === url);
  }

  /** @returns nothing if it was not sent, and is due as before */
  async #deliver(delivery: Delivery, file: TopicFile): Promise<Settled | undefined> {
    const { cutOff, now, outbound, onStoreError } = this.#options;
    const startedAt = now();
    let content: Content;
    try {
      content = await this.#read(file);
    } catch (error) {
      onStoreError(error);
      const { released } = delivery;
      return {
        delivery,
        verdict: { kind: 'released', released, delayMs: UNREADABLE_MS },
        answered: false,
      };
    }
    const { headers, body } = content;
    const outcome = await outbound.send({
      method: 'POST',
      url: delivery.callback,
      headers: { ...headers, ...signatureHeaders(delivery, body) },
      body,
      maxBody: ANSWER_BYTES,
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return undefined;
    const ms = now() - startedAt;
    const verdict = this.#judge(delivery, outcome);
    this.#count({ outcome: verdict.kind });
    this.#report(delivery, outcome, verdict);
    return { delivery, verdict, pace: paceOf(ms), answered: outcome.kind === 'response' };
  }

  #read(file: TopicFile): Promise<Content> {
    let content = this.#contents.get(file);
    if (!content) {
      content = file.read().then((body) => ({ headers: contentHeaders(file), body }));
      content.catch(() => this.#contents.delete(file));
      this.#contents.set(file, content);
    }
    return content;
  }

  #judge(delivery: Delivery, outcome: Outcome): Verdict {
    const { host, takenAt, answeredAt, released, strikeAt, version } = delivery;
    const isOutage = this.#outages.note(host, takenAt - answeredAt < KNOWN_MS, outcome);
    if (isSuccess(outcome)) return { kind: 'delivered' };
    if (isOutage && released < MOST_RELEASED) {
      return { kind: 'released', released: released + 1, delayMs: this.#wait(released + 1) };
    }
    if (outcome.kind === 'response' && outcome.status === GONE) return { kind: 'removed' };
    const isUnreached = outcome.kind === 'failure' && outcome.unreached === true;
    const lookMs = isUnreached ? LOOK_MS : Infinity;
    const leftMs = strikeAt - takenAt;
    if (leftMs > 0) return { kind: 'released', released, delayMs: Math.min(lookMs, leftMs) };
    const standing = notDelivered(delivery, version);
    if (!standing) {
      const reason = `three deliveries in a row were not acknowledged, the last with: ${answerOf(outcome)}`;
      return { kind: 'removed', reason };
    }
    const { failures } = standing;
    const askedMs = outcome.kind === 'response' ? (outcome.retryAfterMs ?? 0) : 0;
    const strikeMs = Math.max(this.#wait(failures), askedMs);
    return { kind: 'retry', failures, strikeMs, delayMs: Math.min(lookMs, strikeMs) };
  }

  #wait(failures: number): number {
    const { retrySeconds, random } = this.#options;
    const jitter = Math.floor(random() * JITTERS) / JITTERS;
    return retryDelay(Math.min(failures, retrySeconds.length), retrySeconds, jitter);
  }

  #report({ host, topicUrl: topic }: Delivery, outcome: Outcome, { kind }: Verdict): void {
    const level = kind === 'delivered' ? 'debug' : 'info';
    if (!this.#options.logger.enabled(level)) return;
    const message = { delivered: 'delivered', removed: 'subscription removed' }[kind as string];
    const fields = { host, topic, answer: answerOf(outcome) };
    this.#options.logger.log(level, message ?? 'not delivered', fields);
  }

  /** Resolves when all outcomes are written or given up. */
  idle(): Promise<void> {
    return this.#settlements.idle();
  }

  /** Releases the contents, which are large, while nothing is pending. */
  forgetContents(): void {
    this.#contents = new WeakMap();
  }
}

function answerOf(outcome: Outcome): string {
  return outcome.kind === 'response' ? String(outcome.status) : outcome.reason;
}
