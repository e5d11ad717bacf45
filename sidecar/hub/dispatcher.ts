import { Coalesced } from './coalesced.ts';
import { Schedule, type Ended, type Kind, type Task } from './schedule.ts';

/** Turns begun in one turn of the event loop: each may begin with a TLS handshake, which blocks it. */
const BEGUN_AT_ONCE = 8;
const KINDS = ['verification', 'delivery'] as const;

/** One kind of work. Neither function throws. */
export interface Worker {
  /** Returns what the store has that is due and that the schedule has room for; empty if nothing. */
  due(schedule: Schedule): Promise<Task[]>;
  /** Does what waits no longer; calls `done` for each once its outcome is written. */
  run(ids: readonly number[], done: (id: number) => void): Promise<Ended>;
}

/** Fills the schedule from the store and runs what it says may begin. */
export class Dispatcher {
  readonly #workers: Record<Kind, Worker>;
  readonly #stopping: () => boolean;
  readonly #schedule: Schedule;
  /** What the store may have that the schedule does not. */
  readonly #hungry: Record<Kind, boolean> = { verification: false, delivery: false };
  readonly #feeding: Record<Kind, Coalesced>;
  #isBeginning = false;
  #running = 0;
  #idle: (() => void)[] = [];

  /** @param now milliseconds, monotonic @param stopping whether nothing more is to begin */
  constructor(workers: Record<Kind, Worker>, now: () => number, stopping: () => boolean) {
    this.#workers = workers;
    this.#stopping = stopping;
    this.#schedule = new Schedule(now, (kind) => {
      this.#hungry[kind] = true;
    });
    this.#feeding = {
      verification: new Coalesced(() => this.#feed('verification')),
      delivery: new Coalesced(() => this.#feed('delivery')),
    };
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#schedule.isIdle;
  }

  /** Looks for what is due; resolves when all of it that there is room for has been queued. */
  wake(kind: Kind): Promise<void> {
    this.#hungry[kind] = true;
    return this.#feeding[kind].run();
  }

  /** Resolves when nothing is under way and nothing waits. */
  async idle(): Promise<void> {
    if (this.#stopping()) this.#schedule.clear();
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #feed(kind: Kind): Promise<void> {
    const schedule = this.#schedule;
    while (this.#hungry[kind] && !this.#stopping() && schedule.wantsMore(kind)) {
      const tasks = await this.#workers[kind].due(schedule);
      if (tasks.length === 0) this.#hungry[kind] = false;
      for (const task of tasks) schedule.add(task);
      this.#beginSoon();
    }
  }

  #beginSoon(): void {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    setImmediate(() => {
      this.#isBeginning = false;
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#stopping()) this.#schedule.clear();
    for (let begun = 0; begun < BEGUN_AT_ONCE && !this.#stopping(); begun++) {
      const turn = this.#schedule.begin();
      if (!turn) break;
      void this.#run(turn.kind, turn.ids, turn.end);
      if (begun === BEGUN_AT_ONCE - 1) this.#beginSoon();
    }
    for (const kind of KINDS) if (this.#hungry[kind]) void this.#feeding[kind].run();
    if (!this.isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #run(kind: Kind, ids: readonly number[], end: (ended: Ended) => void): Promise<void> {
    this.#running++;
    end(await this.#workers[kind].run(ids, (id) => this.#schedule.done(kind, id)));
    this.#running--;
    this.#beginSoon();
  }
}
