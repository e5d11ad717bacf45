import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { WorkerOptions } from './dispatcher.ts';
import type { Deliveries, Settled } from './store/deliveries.ts';
import { NotLeaderError } from './store/leader.ts';

/** On SQLite a commit blocks this process, so those of a burst are this far apart. */
const GATHER_MS = 20;
/** A longer transaction would block the process noticeably. */
const AT_ONCE = 250;
const WRITE_AGAIN_MS = 500;

export interface SettlementsOptions extends WorkerOptions {
  deliveries: Deliveries;
}

/**
 * Writes the outcomes of deliveries in batches, each until the store has taken it. Once exchanges are
 * cut off, each is tried once more; what is not written is delivered again.
 */
export class Settlements {
  readonly #options: SettlementsOptions;
  #unwritten: { settled: Settled; done: () => void }[] = [];
  #writing: Promise<void> | undefined;
  #writtenAt = -Infinity;

  constructor(options: SettlementsOptions) {
    this.#options = options;
  }

  /** @param done called once the outcome is written or given up */
  add(settled: Settled, done: () => void): void {
    this.#unwritten.push({ settled, done });
    this.#writing ??= this.#write();
  }

  /** Resolves when all outcomes are written or given up. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { cutOff, deliveries, onStoreError } = this.#options;
    while (this.#unwritten.length > 0) {
      const isFull = this.#unwritten.length >= AT_ONCE;
      const early = this.#writtenAt + GATHER_MS - performance.now();
      await (isFull || early <= 0 ? nextTurn() : delay(early));
      const batch = this.#unwritten.splice(0, AT_ONCE);
      for (let isWritten = false; !isWritten;) {
        try {
          await deliveries.settle(batch.map(({ settled }) => settled));
          isWritten = true;
          this.#writtenAt = performance.now();
        } catch (error) {
          onStoreError(error);
          if (error instanceof NotLeaderError || cutOff()) break; // these are delivered again
          await delay(WRITE_AGAIN_MS);
        }
      }
      for (const { done } of batch) done();
    }
    this.#writing = undefined;
  }
}
