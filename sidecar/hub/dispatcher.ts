import { Coalesced } from './coalesced.ts';
import { Schedule, type Ended, type Kind, type Task } from './schedule.ts';

/** Turns started per tick; each may start a TLS handshake, which blocks the event loop. */
const BEGUN_AT_ONCE = 8;
const KINDS = ['verification', 'delivery'] as const;

/** One kind of work. Neither function throws. */
export interface Worker {
  /** Returns due tasks from the store that the schedule has room for. */
  due(schedule: Schedule): Promise<Task[]>;
  /** Runs tasks; calls `done` for each once its outcome is written. */
  run(ids: readonly number[], done: (id: number) => void): Promise<Ended>;
}

/** Fills the schedule from the store and runs the tasks it releases. */
export class Dispatcher {
  readonly #workers: Record<Kind, Worker>;
  readonly #stopping: () => boolean;
  readonly #schedule: Schedule;
  /** True if the store may have tasks that the schedule lacks. */
  readonly #hungry: Record<Kind, boolean> = { verification: false, delivery: false };
  readonly #feeding: Record<Kind, Coalesced>;
  #isBeginning = false;
  #running = 0;
  #idle: (() => void)[] = [];

  /**
   * @param now milliseconds, monotonic
   * @param stopping returns true once nothing more may start
   */
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

  /** Looks for due tasks; resolves when all that fit are queued. */
  wake(kind: Kind): Promise<void> {
    this.#hungry[kind] = true;
    return this.#feeding[kind].run();
  }

  /** Resolves when nothing is running or waiting. */
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
