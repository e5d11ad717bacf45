import type { Callbacks, Received } from '../callback-server.ts';
import type { Random } from '../random.ts';
import type { SlimEdition } from '../slim-edition.ts';

/** Outcomes are gathered and written; what was acknowledged this recently may not be written yet. */
const UNWRITTEN_MS = 500;

interface Subscriber {
  /** The newest version that was acknowledged; -1 before the first. */
  newest: number;
  /** Deliveries that were refused since the hub surely had written that one was acknowledged. */
  refused: number;
  acknowledged: Set<number>;
}

/** Subscribers that say yes to every verification, and sometimes no to a delivery. */
export class Subscribers {
  /** Acknowledged deliveries of a version that its subscriber had acknowledged before. */
  duplicates = 0;
  deliveries = 0;
  refusals = 0;
  /** Subscriptions that the hub ended by itself. */
  denied = 0;
  readonly #edition: SlimEdition;
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #open = new Set<Received>();
  #recent: number[] = [];
  readonly #awaited = new Map<number, () => void>();

  /**
   * @param faults how many of the deliveries are refused, 0 to 1; never three, for what was
   *   acknowledged in between may be forgotten by who is killed before it is written
   * @param delayMs how long an answer takes
   */
  constructor(
    callbacks: Callbacks,
    edition: SlimEdition,
    random: Random,
    { faults, delayMs }: { faults: number; delayMs: number },
  ) {
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
        if (response.destroyed) return; // who posted it is gone, so it is not acknowledged
        const subscriber = this.#of(pathname);
        const refuses = subscriber.refused < 2 && random.next() < faults;
        if (refuses) this.#refuse(subscriber);
        else this.#acknowledge(subscriber, version);
        response.writeHead(refuses ? 500 : 204).end();
      }, delayMs);
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

  /** Every acknowledgement is written: what was refused before counts no more. */
  forgetRefusals(): void {
    for (const subscriber of this.#subscribers.values()) subscriber.refused = 0;
  }

  /** Something is killed now. @returns deliveries whose outcome may not have been written */
  onKill(): number {
    const since = performance.now() - UNWRITTEN_MS;
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
