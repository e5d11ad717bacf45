import type { Callbacks, Received } from '../callback-server.ts';
import type { Random } from '../random.ts';
import type { SlimEdition } from '../slim-edition.ts';

/** Time to respond. */
const ANSWER_MS = 40;
/** Outcomes are written in batches: one this recent, and its commit, may not be written yet. */
const UNWRITTEN_MS = 300;

interface Subscriber {
  /** The newest version that was acknowledged; -1 before the first. */
  newest: number;
  /** Deliveries refused since the hub has certainly written an acknowledgement. */
  refused: number;
  acknowledged: Set<number>;
}

/** Subscribers that confirm every verification and refuse some deliveries. */
export class Subscribers {
  /** Deliveries of a version that the subscriber had already acknowledged. */
  duplicates = 0;
  deliveries = 0;
  refusals = 0;
  /** Subscriptions that the hub ended on its own. */
  denied = 0;
  readonly #edition: SlimEdition;
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #open = new Set<Received>();
  #recent: number[] = [];
  readonly #awaited = new Map<number, () => void>();

  /**
   * @param refusals share of deliveries to refuse, 0 to 1; never three in a row, because a killed
   *   replica may forget an acknowledgement in between
   */
  constructor(callbacks: Callbacks, edition: SlimEdition, random: Random, refusals: number) {
    this.#edition = edition;
    callbacks.handle((request, response) => {
      const { pathname, searchParams } = new URL(request.path, 'https://callback.example');
      const challenge = searchParams.get('hub.challenge');
      if (challenge !== null) return void response.end(challenge);
      if (request.method === 'GET') {
        this.denied++;
        response.end();
        return;
      }
      this.#open.add(request);
      const version = this.#edition.versionOf(request.body);
      this.#awaited.get(version)?.();
      setTimeout(() => {
        this.#open.delete(request);
        if (response.destroyed) return; // the sender is gone, so it is not acknowledged
        const subscriber = this.#of(pathname);
        const refuses = subscriber.refused < 2 && random.next() < refusals;
        if (refuses) this.#refuse(subscriber);
        else this.#acknowledge(subscriber, version);
        response.writeHead(refuses ? 500 : 204).end();
      }, ANSWER_MS);
    });
  }

  /** The newest version that a callback has acknowledged. */
  newest(path: string): number {
    return this.#of(path).newest;
  }

  /** Resolves when a version is delivered for the first time, before that is answered. */
  delivering(version: number): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(version, resolve));
  }

  /** Forgets earlier refusals, once every acknowledgement is written. */
  forgetRefusals(): void {
    for (const subscriber of this.#subscribers.values()) subscriber.refused = 0;
  }

  /**
   * Returns the number of deliveries whose outcome may not have been written.
   *
   * @param killedAt when the hub was killed, in milliseconds of `performance.now()`
   */
  inFlight(killedAt: number): number {
    const since = killedAt - UNWRITTEN_MS;
    this.#recent = this.#recent.filter((at) => at > since);
    return this.#open.size + this.#recent.length;
  }

  #refuse(subscriber: Subscriber): void {
    subscriber.refused++;
    this.refusals++;
  }

  #acknowledge(subscriber: Subscriber, version: number): void {
    if (subscriber.acknowledged.has(version)) this.duplicates++;
    subscriber.acknowledged.add(version);
    subscriber.newest = Math.max(subscriber.newest, version);
    this.deliveries++;
    this.#recent.push(performance.now());
  }

  #of(path: string): Subscriber {
    let subscriber = this.#subscribers.get(path);
    if (!subscriber) {
      subscriber = { newest: -1, refused: 0, acknowledged: new Set() };
      this.#subscribers.set(path, subscriber);
    }
    return subscriber;
  }
}
