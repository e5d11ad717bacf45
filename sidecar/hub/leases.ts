import type { Logger } from '../base/log.ts';
import type { Deliveries } from './store/deliveries.ts';
import type { HubStore } from './store/tables.ts';

/** Small adjustments and drift between two checks are fine. */
const TOLERANCE_MS = 60_000;
/** A jump that lasts this long is accepted. */
const BELIEVED_AFTER_MS = 3_600_000;

/**
 * Removes subscriptions whose lease is over. The database's clock is compared with a monotonic one,
 * so that a clock that is wrong for a moment does not end every lease for good. Until a forward jump
 * is accepted, expired subscriptions are kept, but nothing is sent to them.
 */
export class Leases {
  readonly #store: HubStore;
  readonly #deliveries: Deliveries;
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  readonly #logger: Logger;
  /** The database's time minus the monotonic one, when it was last steady. */
  #offset: number | undefined;
  #jumpedAt: number | undefined;

  constructor(store: HubStore, deliveries: Deliveries, now: () => number, logger: Logger) {
    this.#store = store;
    this.#deliveries = deliveries;
    this.#now = now;
    this.#logger = logger;
  }

  async removeExpired(): Promise<void> {
    if (!(await this.#isSteady())) return;
    for (let removed: number; (removed = await this.#deliveries.removeExpired()) > 0;) {
      this.#logger.log('info', 'leases ended', { removed });
    }
  }

  /** Returns false while the database's clock is ahead. */
  async #isSteady(): Promise<boolean> {
    const { now: time } = await this.#store.db
      .selectNoFrom(this.#store.now().as('now'))
      .executeTakeFirstOrThrow();
    const now = this.#now();
    const offset = time - now;
    const jump = offset - (this.#offset ?? offset);
    const isBelieved = this.#jumpedAt !== undefined && now - this.#jumpedAt >= BELIEVED_AFTER_MS;
    if (jump <= TOLERANCE_MS || isBelieved) {
      this.#offset = offset;
      this.#jumpedAt = undefined;
      return true;
    }
    if (this.#jumpedAt === undefined) {
      const seconds = Math.round(jump / 1000);
      this.#logger.log('warn', 'the clock jumped forward: no lease is ended yet', { seconds });
      this.#jumpedAt = now;
    }
    return false;
  }
}
