import type { ClaimedDelivery, Deliveries } from './store/deliveries.ts';
import { CLAIM_MS, STALE_CLAIM_MS } from './work.ts';

/** Deliveries that were claimed together, and are held on to together while they wait. */
export class Batch {
  /** By this process's clock. */
  readonly claimedAt: number;
  readonly #store: Pick<Deliveries, 'hold'>;
  readonly #claim: string;
  readonly #waiting: Set<number>;
  #heldAt: number;
  #holding: Promise<void> | undefined;

  /** @param claimed at least one */
  constructor(store: Pick<Deliveries, 'hold'>, claimed: readonly ClaimedDelivery[], at: number) {
    this.#store = store;
    this.#claim = claimed[0]!.claim;
    this.#waiting = new Set(claimed.map(({ id }) => id));
    this.claimedAt = at;
    this.#heldAt = at;
  }

  /** Takes one out. @returns whether it is still this replica's, and its subscription there */
  async take({ id }: ClaimedDelivery, now: number): Promise<boolean> {
    if (now - this.#heldAt > STALE_CLAIM_MS) await (this.#holding ??= this.#hold(now));
    return this.#waiting.delete(id);
  }

  async #hold(now: number): Promise<void> {
    try {
      const held = new Set(await this.#store.hold(this.#claim, [...this.#waiting], CLAIM_MS));
      for (const id of this.#waiting) if (!held.has(id)) this.#waiting.delete(id);
      this.#heldAt = now;
    } finally {
      this.#holding = undefined;
    }
  }
}
