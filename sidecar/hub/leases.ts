import type { Logger } from '../base/log.ts';
import type { Deliveries } from './store/deliveries.ts';

/** Small adjustments and drift between two looks are fine. */
const TOLERANCE_MS = 60_000;
/** The clock must be steady for this long before rows of ended leases are removed for good. */
const STEADY_MS = 3_600_000;

/**
 * Watches the database's clock beside a monotonic one. Nothing is sent after the end of a lease, but
 * its row is removed only while the clock is steady; after a jump back, nothing waits for the time
 * that the clock had shown.
 */
export class Leases {
  readonly #deliveries: Pick<Deliveries, 'removeExpired' | 'forgetFuture'>;
  /** Milliseconds, monotonic. */
  readonly #now: () => number;
  readonly #logger: Logger;
  /** The database's time minus the monotonic one, at the last look. */
  #offset: number | undefined;
  #steadySince: number;

  constructor(
    deliveries: Pick<Deliveries, 'removeExpired' | 'forgetFuture'>,
    now: () => number,
    logger: Logger,
  ) {
    this.#deliveries = deliveries;
    this.#now = now;
    this.#logger = logger;
    this.#steadySince = now();
  }

  /** @param time of the database */
  async look(time: number): Promise<void> {
    const now = this.#now();
    const offset = time - now;
    const jump = offset - (this.#offset ?? offset);
    this.#offset = offset;
    if (Math.abs(jump) > TOLERANCE_MS) {
      this.#logger.log('warn', 'the clock jumped', { seconds: Math.round(jump / 1000) });
      this.#steadySince = now;
      if (jump < 0) await this.#deliveries.forgetFuture();
    }
    const isSteady = now - this.#steadySince >= STEADY_MS;
    // Without rows to remove it still tells if the store takes writes.
    const removed = await this.#deliveries.removeExpired(isSteady ? time : 0);
    if (removed > 0) this.#logger.log('info', 'leases ended', { removed });
  }
}
