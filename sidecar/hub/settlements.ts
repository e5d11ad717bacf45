import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { WorkerOptions } from './dispatcher.ts';
import type { Deliveries, Settled } from './store/deliveries.ts';
import { NotLeaderError } from './store/leader.ts';

/**
 * On SQLite a commit blocks this process, so outcomes are collected for this long, or on a slow disk
 * for a multiple of the duration of the last commit.
 */
const GATHER_MS = 20;
const GATHER = 19;
const MOST_GATHER_MS = 200;
/** A longer transaction would block the process noticeably. */
const AT_ONCE = 250;
const WRITE_AGAIN_MS = 500;

export interface SettlementsOptions extends WorkerOptions {
  deliveries: Deliveries;
  engine: 'sqlite' | 'postgresql';
}

/** Writes the outcomes of deliveries in batches, each until the store has taken it. */
export class Settlements {
  readonly #options: SettlementsOptions;
  #unwritten: { settled: Settled; done: () => void }[] = [];
  #writing: Promise<void> | undefined;
  #abandoned = false;
  #gatherMs = GATHER_MS;

  constructor(options: SettlementsOptions) {
    this.#options = options;
  }

  /** @param done called once the outcome is written or abandoned */
  add(settled: Settled, done: () => void): void {
    this.#unwritten.push({ settled, done });
    this.#writing ??= this.#write();
  }

  /** Resolves when all outcomes are written or abandoned. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Stops writing outcomes; unwritten ones lead to another delivery. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #write(): Promise<void> {
    const { deliveries, engine, onStoreError } = this.#options;
    while (this.#unwritten.length > 0) {
      const isFull = this.#unwritten.length >= AT_ONCE;
      await (engine === 'sqlite' && !isFull ? delay(this.#gatherMs) : nextTurn());
      const batch = this.#unwritten.splice(0, AT_ONCE);
      for (let isWritten = false; !isWritten && !this.#abandoned;) {
        const began = performance.now();
        try {
          await deliveries.settle(batch.map(({ settled }) => settled));
          isWritten = true;
          const took = performance.now() - began;
          this.#gatherMs = Math.min(Math.max(GATHER_MS, GATHER * took), MOST_GATHER_MS);
        } catch (error) {
          onStoreError(error);
          if (error instanceof NotLeaderError) break; // another process delivers these
          await delay(WRITE_AGAIN_MS);
        }
      }
      for (const { done } of batch) done();
    }
    this.#writing = undefined;
  }
}
