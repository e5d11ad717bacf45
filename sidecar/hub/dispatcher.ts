import { setTimeout as delay } from 'node:timers/promises';
import { coalesced } from '../base/coalesced.ts';
import type { Logger } from '../base/log.ts';
import type { Outbound } from './outbound/outbound.ts';
import { Schedule, type Kind, type Batch, type Task } from './schedule.ts';

/** Batches begun at once; each may start a TLS handshake, which blocks the event loop. */
const BEGUN_AT_ONCE = 4;

/** The next regular look waits this many times as long as the last one took. */
const REST = 9;

/** A pause after the store failed. */
export const FAILED_MS = 500;

export interface WorkerOptions {
  outbound: Pick<Outbound, 'send'>;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  /** Returns true once nothing more may start. */
  stopping: () => boolean;
  /** Returns true if work of a part may start. */
  leads: (part: number) => boolean;
  /** Returns true if exchanges were cut off, so that a failure says nothing about the callback. */
  cutOff: () => boolean;
  /** Called if the store failed; work whose outcome is not written is done again. */
  onStoreError: (error: unknown) => void;
}

/** One kind of work. It throws if the store fails. */
export interface Worker {
  /** Yields what is due, in pages that are added to the schedule. */
  due(schedule: Schedule): AsyncIterable<readonly Task[]>;
  /**
   * Runs tasks. When it returns, each task is done unless it was kept.
   *
   * @param keep returns what to call once the task is done
   * @returns the milliseconds of the longest exchange, if there was one
   */
  run(ids: readonly number[], keep: (id: number) => () => void): Promise<number | undefined>;
}

/** Fills the schedule from the store and runs the tasks it releases. */
export class Dispatcher {
  readonly #workers: Record<Kind, Worker>;
  readonly #options: WorkerOptions;
  readonly schedule: Schedule;
  readonly #feeding: Record<Kind, () => Promise<void>>;
  readonly #restsUntil: Record<Kind, number> = { verification: -Infinity, delivery: -Infinity };
  #isBeginning = false;
  #running = 0;
  #looking = 0;

  constructor(workers: Record<Kind, Worker>, options: WorkerOptions) {
    this.#workers = workers;
    this.#options = options;
    this.schedule = new Schedule(options.random);
    this.#feeding = {
      verification: coalesced(() => this.#feed('verification')),
      delivery: coalesced(() => this.#feed('delivery')),
    };
  }

  /** True if no task runs, waits or is being looked for; while the hub stops, waiting tasks do not count. */
  get isIdle(): boolean {
    const isWaiting = this.#looking > 0 || !this.schedule.isIdle;
    return this.#running === 0 && (this.#options.stopping() || !isWaiting);
  }

  /** Looks for due tasks; resolves when they are queued. */
  wake(kind: Kind): Promise<void> {
    return this.#feeding[kind]();
  }

  /** Does the same as `wake`, but rarely if that takes long: most of the tasks that it finds are queued already. */
  async look(kind: Kind): Promise<void> {
    if (this.#options.now() >= this.#restsUntil[kind]) await this.wake(kind);
  }

  async #feed(kind: Kind): Promise<void> {
    const { now } = this.#options;
    const began = now();
    this.#looking++;
    try {
      for await (const tasks of this.#workers[kind].due(this.schedule)) {
        if (this.#options.stopping()) break;
        for (const task of tasks) {
          if (this.#options.leads(task.part)) this.schedule.add(kind, task);
        }
        this.#beginSoon();
      }
    } catch (error) {
      if (!this.#options.stopping()) this.#options.onStoreError(error);
    } finally {
      this.#looking--;
      const ended = now();
      this.#restsUntil[kind] = ended + REST * (ended - began);
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
    for (let begun = 0; begun < BEGUN_AT_ONCE; begun++) {
      const batch = this.#options.stopping() ? undefined : this.schedule.begin();
      if (!batch) return;
      void this.#run(batch);
    }
    this.#beginSoon();
  }

  async #run({ kind, ids, end }: Batch): Promise<void> {
    const left = new Set(ids);
    const keep = (id: number) => {
      left.delete(id);
      return () => this.schedule.done(kind, id);
    };
    let ms: number | undefined;
    this.#running++;
    this.#options.logger.log('debug', 'exchanges begin', { kind, count: ids.length });
    try {
      ms = await this.#workers[kind].run(ids, keep);
    } catch (error) {
      this.#options.onStoreError(error);
      await delay(FAILED_MS);
    }
    for (const id of left) this.schedule.done(kind, id);
    end(ms);
    this.#running--;
    this.#beginSoon();
    // Finds released tasks at once, not at the next tick.
    const isDone = kind === 'verification' || this.schedule.isIdle;
    if (isDone && !this.#options.stopping()) void this.wake(kind);
  }
}
