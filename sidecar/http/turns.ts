/** Milliseconds of one turn of the event loop that computed answers may take together. */
const TURN_MS = 5;
/** A request that has waited longer is refused, so that a burst ends soon after it was sent. */
const WAIT_MS = 1_000;
/** More requests than this are refused at once. */
const MOST_WAITING = 1_000;

interface Waiting {
  since: number;
  /** @param refused true if it waited too long */
  run: (refused: boolean) => void;
}

/**
 * Admits computed answers by their cost. Cheap ones run immediately. Once they have taken their time
 * in a turn of the event loop, the others wait for the next turn, and files and health checks are
 * served in between. A request that waits too long is refused.
 */
export class Turns {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #spent = 0;
  #isScheduled = false;

  /** @param now milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs `work` now or in a later turn; returns the result of `refuse` if that would be too late. */
  take<T>(work: () => T | Promise<T>, refuse: () => T | Promise<T>): T | Promise<T> {
    this.#schedule();
    if (this.#waiting.length === 0 && this.#spent < TURN_MS) return this.#run(work);
    if (this.#waiting.length >= MOST_WAITING) return refuse();
    return new Promise<T>((resolve, reject) => {
      const run = async (refused: boolean): Promise<T> => (refused ? refuse() : this.#run(work));
      this.#waiting.push({
        since: this.#now(),
        run: (refused) => void run(refused).then(resolve, reject),
      });
    });
  }

  #run<T>(work: () => T): T {
    const started = this.#now();
    try {
      return work();
    } finally {
      this.#spent += this.#now() - started;
    }
  }

  /** Begins a new turn behind the requests that have arrived. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spent = 0;
      while (this.#waiting.length > 0 && this.#spent < TURN_MS) {
        const { since, run } = this.#waiting.shift()!;
        run(this.#now() - since > WAIT_MS);
      }
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
