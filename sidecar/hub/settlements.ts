import { setTimeout as delay } from 'node:timers/promises';
import type { Deliveries, Settled } from './store/deliveries.ts';

/** Outcomes are gathered for this long, so that a commit covers many. */
const GATHER_MS = 50;
const RETRY_MS = 500;

/** Writes outcomes of deliveries in batches, and tries again until they are written. */
export class Settlements {
  readonly #deliveries: Deliveries;
  readonly #onFault: (error: unknown) => void;
  #waiting: Settled[] = [];
  #writing: Promise<void> | undefined;
  #abandoned = false;

  constructor(deliveries: Deliveries, onFault: (error: unknown) => void) {
    this.#deliveries = deliveries;
    this.#onFault = onFault;
  }

  add(settled: Settled): void {
    this.#waiting.push(settled);
    this.#writing ??= this.#write();
  }

  /** Resolves when all is written, or given up. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Stops trying: what is not written is delivered once more when its claim has ended. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      await delay(GATHER_MS);
      const batch = this.#waiting.splice(0);
      await this.#writeBatch(batch);
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly Settled[]): Promise<void> {
    while (!this.#abandoned) {
      try {
        await this.#deliveries.settle(batch);
        return;
      } catch (error) {
        this.#onFault(error);
        await delay(RETRY_MS);
      }
    }
  }
}
