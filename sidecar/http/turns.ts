import { HTTPError } from 'h3';
import { atOnce, type Pieces } from '../../src/search/pieces.ts';
import type { Logger } from '../base/log.ts';
import type { RateLimit } from '../base/rate-limit.ts';

/** Milliseconds of one turn of the event loop that computed answers may take together. */
const TURN_MS = 2;
/** Work that has waited longer is refused, so that a burst ends soon after it was sent. */
const WAIT_MS = 1_000;
/** Beyond this, the client with the most waiting work loses its newest. */
const MAX_WAITING = 1_000;
const RETRY_SECONDS = 1;
/** Milliseconds of work by which a client that asked for nothing comes before the others: a page or two. */
const CREDIT_MS = 50;
/** With more clients whose time is kept, those that are not ahead are forgotten. */
const MAX_AHEAD = 10_000;

/** A part of an answer. It must not block the event loop for more than some milliseconds at a time. */
export type Work<T> = () => T | Promise<T> | Pieces<T>;

/** Does work when it is its client's turn. */
export type Compute = <T>(work: Work<T>) => T | Promise<T>;

/** Does work at once, for callers that no client waits behind. */
export const AT_ONCE: Compute = (work) => {
  const result = work();
  return isPieces(result) ? atOnce(result) : result;
};

/** Tells if this is work that pauses, and not its result. */
function isPieces<T, R>(work: R | Pieces<T>): work is Pieces<T> {
  return work instanceof Iterator;
}

/** Does work that may have pauses. */
export function* inPieces<T>(work: T | Pieces<T>): Pieces<T> {
  return isPieces<T, T>(work) ? yield* work : work;
}

/** The error for refused work. h3 takes an HTTPError as it is, while any other error costs as much as an answer. */
export class RefusedWork extends HTTPError {
  readonly retrySeconds: number;

  /** @param status 429 if its client asked for too much, 503 if everybody did */
  constructor(status: 429 | 503, retrySeconds: number) {
    super({ status, message: 'too much to compute' });
    this.retrySeconds = retrySeconds;
  }
}

interface Waiting {
  since: number;
  run: () => void;
  refuse: () => void;
}

/**
 * Gives each client its turn to compute answers, and a budget of milliseconds. Cheap work runs
 * immediately. Once the work of a turn of the event loop has taken its time, the rest waits for the
 * next turns, and files and health checks are served in between. Work that waits too long to begin is
 * refused.
 *
 * The client whose work took least comes first, so that many who ask for much wait for one who asks for
 * little (start-time fair queueing). Each has a time of its own, which advances by the milliseconds of its
 * work; that of one who asks for nothing advances with the others.
 */
export class Turns {
  readonly #now: () => number;
  readonly #budget: RateLimit;
  readonly #logger: Logger;
  /** By client. Among equals, the client whose turn is first comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** The time of each client, which advances by the milliseconds of its work; those far behind have none. */
  readonly #times = new Map<string, number>();
  /** The latest time at which work began. */
  #time = 0;
  #count = 0;
  #spent = 0;
  #isScheduled = false;

  /**
   * @param now milliseconds, monotonic
   * @param budget of milliseconds by client
   */
  constructor(now: () => number, budget: RateLimit, logger: Logger) {
    this.#now = now;
    this.#budget = budget;
    this.#logger = logger;
  }

  /**
   * Does work of a client now or in a later turn.
   *
   * @param isFirst false for a further part of an answer, which no used-up budget refuses
   * @throws {RefusedWork}
   */
  take<T>(client: string, work: Work<T>, isFirst = true): T | Promise<T> {
    const asked = this.#now();
    const begin = () => {
      if (this.#logger.enabled('debug')) {
        const waited = Math.round(this.#now() - asked);
        this.#logger.log('debug', 'turn', { waited, waiting: this.#count });
      }
      return this.#begin(client, work, isFirst);
    };
    if (this.#count === 0 && this.#spent < TURN_MS) {
      this.#schedule();
      return begin();
    }
    return this.#wait(client, begin, 'push');
  }

  /** Runs work in a later turn, as the last or the first of its client's. */
  #wait<T>(client: string, act: () => T | Promise<T>, place: 'push' | 'unshift'): Promise<T> {
    this.#schedule();
    return new Promise<T>((resolve, reject) => {
      const queue = this.#waiting.get(client) ?? [];
      this.#waiting.set(client, queue);
      this.#count++;
      queue[place]({
        since: place === 'push' ? this.#now() : Infinity,
        run: () => void Promise.try(act).then(resolve, reject),
        refuse: () => reject(new RefusedWork(503, RETRY_SECONDS)),
      });
      if (this.#count > MAX_WAITING) this.#shorten();
    });
  }

  #begin<T>(client: string, work: Work<T>, isFirst: boolean): T | Promise<T> {
    const wait = isFirst ? this.#budget.take(client, 0) : 0;
    if (wait > 0) throw new RefusedWork(429, wait);
    this.#time = Math.max(this.#time, this.#timeOf(client));
    const result = this.#charge(client, work);
    if (isPieces(result)) return this.#goOn(client, result);
    if (!(result instanceof Promise)) return result;
    this.#spent = TURN_MS; // the rest of it follows in this turn
    const paused = this.#now();
    return result.finally(() => this.#spend(client, this.#now() - paused));
  }

  /**
   * Does pieces of an answer until the turn is over; the rest goes on in the next turns. Its client is charged
   * at the end, so that what has begun is finished before others with as little begin.
   */
  #goOn<T>(client: string, pieces: Pieces<T>, before = 0): T | Promise<T> {
    const started = this.#now();
    const [spent, took] = [this.#spent, () => this.#now() - started];
    try {
      for (;;) {
        const { done, value } = pieces.next();
        this.#spent = spent + took();
        if (done) {
          this.#spend(client, before + took());
          return value;
        }
        if (this.#spent >= TURN_MS) break;
      }
    } catch (error) {
      this.#spend(client, before + took());
      throw error;
    }
    const so = before + took();
    return this.#wait(client, () => this.#goOn(client, pieces, so), 'unshift');
  }

  /** Runs work, and charges its client for the time. */
  #charge<T>(client: string, act: () => T): T {
    const started = this.#now();
    try {
      return act();
    } finally {
      const ms = this.#now() - started;
      this.#spend(client, ms);
      this.#spent += ms;
    }
  }

  /** Begins a new turn behind the requests that have arrived. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spent = 0;
      while (this.#count > 0 && this.#spent < TURN_MS) {
        const next = this.#next();
        if (this.#now() - next.since > WAIT_MS) next.refuse();
        else next.run();
      }
      if (this.#count > 0) this.#schedule();
      else this.#times.clear(); // whoever asks next waits for nobody
    });
  }

  /**
   * Removes and returns the oldest work of the client that is least ahead. Among equals the first client is
   * taken, and goes behind the others.
   */
  #next(): Waiting {
    let next = '';
    let least = Infinity;
    for (const client of this.#waiting.keys()) {
      const at = this.#timeOf(client);
      if (at < least) [next, least] = [client, at];
    }
    const queue = this.#waiting.get(next)!;
    const work = queue.shift()!;
    this.#count--;
    this.#waiting.delete(next);
    if (queue.length > 0) this.#waiting.set(next, queue);
    return work;
  }

  /** Returns the time at which the work of a client begins: it is ahead of the others, or somewhat behind. */
  #timeOf(client: string): number {
    return Math.max(this.#time - CREDIT_MS, this.#times.get(client) ?? -Infinity);
  }

  #spend(client: string, ms: number): void {
    this.#budget.spend(client, ms);
    this.#times.set(client, this.#timeOf(client) + ms);
    if (this.#times.size <= MAX_AHEAD) return;
    for (const [each, at] of this.#times) {
      if (at <= this.#time - CREDIT_MS) this.#times.delete(each);
    }
  }

  /** Refuses the newest work of the client that has the most waiting. */
  #shorten(): void {
    let longest: Waiting[] = [];
    for (const queue of this.#waiting.values()) if (queue.length > longest.length) longest = queue;
    longest.pop()!.refuse();
    this.#count--;
  }
}
