import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Meters } from '../base/meters.ts';
import type { Worker } from './dispatcher.ts';
import type { Task } from './hosts.ts';
import { BODY_BYTES_A_SECOND, isSuccess, type Outcome } from './outbound/exchange.ts';
import { contentHeaders, signatureHeaders } from './notification.ts';
import { Outages } from './outages.ts';
import type { PublisherOptions } from './publisher.ts';
import type { Ended, Schedule } from './schedule.ts';
import { Settlements, type SettlementsOptions } from './settlements.ts';
import type { Delivery, Verdict } from './store/deliveries.ts';
import type { Topic, TopicFile } from './store/topics.ts';
import { notDelivered, retryDelay } from './subscription.ts';
import { topicFile, topicFiles } from './topic-files.ts';

const GONE = 410;
/** Small, because only the status of the response matters. */
const ANSWER_BYTES = 4096;
/** Time until another replica may take over, in addition to the time for the body. */
const CLAIM_MS = 30_000;
/** Deliveries claimed together that have not started by then are released. */
const IN_A_ROW_MS = 1_000;
/** Delay of a retry after a failure that says nothing about the subscriber. */
const OUTAGE_MS = 60_000;
/** Interval between looks at everything that is due, in case something was passed over. */
const START_OVER_MS = 60_000;
/** Minimum interval between looks for a newer edition that another replica has. */
const REFRESH_MS = 5_000;

export interface DistributorOptions
  extends SettlementsOptions, Pick<PublisherOptions, 'topics' | 'edition' | 'refresh'> {
  meters: Meters;
  /** Seconds to wait after the first and the second failure in a row. */
  retrySeconds: readonly number[];
  /** Returns a number from 0 to 1. */
  random: () => number;
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
  /** Contents by topic and ETag, read once for all subscribers. */
  readonly #contents = new Map<string, Promise<Content>>();
  #refreshedAt = -Infinity;
  #startedOverAt = -Infinity;

  constructor(options: DistributorOptions) {
    this.#options = options;
    this.#outages = new Outages(options.now, options.logger, options.meters);
    this.#settlements = new Settlements(options);
    this.#count = options.meters.counter(
      'reviews_hub_deliveries_total',
      'Deliveries, by what became of them: delivered, retry (it comes again), removed (the subscription ended), released (it says nothing of the callback).',
      ['outcome'],
    );
  }

  async *due(schedule: Schedule): AsyncGenerator<Task[]> {
    const { deliveries, now, onStoreError } = this.#options;
    if (schedule.size('delivery') === 0 || now() - this.#startedOverAt >= START_OVER_MS) {
      this.#startedOverAt = now();
      deliveries.startOver();
    }
    try {
      for await (const due of deliveries.due(await this.#deliverable())) {
        yield due.map(({ id, host }) => ({ kind: 'delivery', id, host, client: '' }));
        await nextTurn(); // SQLite responds synchronously, so nothing else would get a turn
      }
    } catch (error) {
      onStoreError(error);
    }
  }

  /** Returns the topics whose newest content this edition has; looks for an edition with the rest. */
  async #deliverable(): Promise<Topic[]> {
    const edition = this.#options.edition();
    const published = await this.#options.topics.published();
    const own = published.filter(({ url }) => topicFile(edition, url) !== undefined);
    const present = own.filter(({ url, etag }) => topicFile(edition, url)!.etag === etag);
    if (present.length < own.length) this.#refresh();
    return present;
  }

  #refresh(): void {
    const { now, refresh } = this.#options;
    if (now() - this.#refreshedAt < REFRESH_MS) return;
    this.#refreshedAt = now();
    void refresh();
  }

  async run(ids: readonly number[], done: (id: number) => void): Promise<Ended> {
    const { deliveries, now, onStoreError, stopping } = this.#options;
    const left = new Set(ids);
    const ended: Ended = {};
    try {
      const takenAt = now();
      const edition = this.#options.edition();
      const largest = Math.max(...topicFiles(edition).map(({ size }) => size));
      const claimMs = CLAIM_MS + (largest / BODY_BYTES_A_SECOND) * 1000;
      for (const delivery of await deliveries.take(ids, claimMs)) {
        left.delete(delivery.id);
        const waited = now() - takenAt;
        const file = topicFile(edition, delivery.topicUrl);
        const isLate = ended.ms !== undefined && waited > IN_A_ROW_MS;
        const isOver = delivery.takenAt + waited >= delivery.expiresAt;
        const verdict: Verdict =
          stopping() || isLate || isOver || file?.etag !== delivery.etag
            ? { kind: 'released', delayMs: 0 }
            : await this.#deliver(delivery, file, ended);
        this.#settlements.add({ delivery, verdict }, () => done(delivery.id));
      }
    } catch (error) {
      this.#startedOverAt = -Infinity;
      onStoreError(error);
    }
    for (const id of left) done(id);
    return ended;
  }

  async #deliver(delivery: Delivery, file: TopicFile, ended: Ended): Promise<Verdict> {
    const { now, outbound, onStoreError } = this.#options;
    const startedAt = now();
    let request: Content;
    try {
      const { headers, body } = await this.#read(file);
      request = { body, headers: { ...headers, ...(await signatureHeaders(delivery, body)) } };
    } catch (error) {
      onStoreError(error);
      return { kind: 'released', delayMs: OUTAGE_MS };
    }
    const outcome = await outbound.send({
      method: 'POST',
      url: delivery.callback,
      maxBody: ANSWER_BYTES,
      connected: (address) => {
        ended.address = address;
      },
      ...request,
    });
    if (!(outcome.kind === 'failure' && outcome.untried)) {
      ended.ms = Math.max(ended.ms ?? 0, now() - startedAt);
    }
    const verdict = this.#judge(delivery, outcome);
    this.#count({ outcome: verdict.kind });
    this.#report(delivery, outcome, verdict);
    return verdict;
  }

  #read(file: TopicFile): Promise<Content> {
    const key = `${file.url} ${file.etag}`; // two searches may have the same answer
    let content = this.#contents.get(key);
    if (!content) {
      content = file.read().then((body) => ({ headers: contentHeaders(file), body }));
      content.catch(() => this.#contents.delete(key));
      this.#contents.set(key, content);
    }
    return content;
  }

  #judge(delivery: Delivery, outcome: Outcome): Verdict {
    const { retrySeconds, random, cutOff } = this.#options;
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) {
      return { kind: 'released', delayMs: 0 };
    }
    const isOutage = this.#outages.note(delivery.host, outcome);
    const answer = answerOf(outcome);
    if (isSuccess(outcome)) return { kind: 'delivered', answer };
    if (isOutage) return { kind: 'released', delayMs: OUTAGE_MS };
    if (outcome.kind === 'response' && outcome.status === GONE) return { kind: 'removed' };
    const standing = notDelivered(delivery, delivery.version);
    if (!standing) {
      const reason = `three deliveries in a row were not acknowledged, the last with: ${answer}`;
      return { kind: 'removed', reason };
    }
    const { failures } = standing;
    const delayMs = retryDelay(failures, retrySeconds, random());
    const askedMs = outcome.kind === 'response' ? (outcome.retryAfterMs ?? 0) : 0;
    return { kind: 'retry', answer, failures, delayMs: Math.max(delayMs, askedMs) };
  }

  #report({ host, topicUrl: topic }: Delivery, outcome: Outcome, { kind }: Verdict): void {
    const level = kind === 'delivered' ? 'debug' : 'info';
    if (!this.#options.logger.enabled(level)) return;
    const message = { delivered: 'delivered', removed: 'subscription removed' }[kind as string];
    const fields = { host, topic, answer: answerOf(outcome) };
    this.#options.logger.log(level, message ?? 'not delivered', fields);
  }

  /** Resolves when all outcomes are written or abandoned. */
  idle(): Promise<void> {
    return this.#settlements.idle();
  }

  /** Stops writing outcomes; unwritten ones lead to another delivery. */
  abandon(): void {
    this.#settlements.abandon();
  }

  /** Releases the contents, which are large, while nothing is pending. */
  forgetContents(): void {
    this.#contents.clear();
  }
}

function answerOf(outcome: Outcome): string {
  return outcome.kind === 'response' ? String(outcome.status) : outcome.reason;
}
