import { sql } from 'kysely';
import type { Held } from '../../store/store.ts';
import { rows, type HubStore, type HubTables, type Trx } from './tables.ts';

/** Another process leads now; what this one has under way is that one's. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';

  constructor() {
    super('another process delivers for the hub');
  }
}

/**
 * Lets one of the processes that share a store deliver: the one that holds a lock, for as long as its
 * connection lives. Each leader has an epoch, and what an earlier one writes late is refused.
 */
export class Leader {
  readonly #store: HubStore;
  /** Kept when the lock is lost: until another one leads, what is under way may be written. */
  #epoch = -1;
  #held: Held<HubTables> | undefined;

  constructor(store: HubStore) {
    this.#store = store;
  }

  get leads(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Leads if no other process does, or goes on to lead.
   *
   * @returns the number of pings that other processes received; nothing if another one leads
   * @throws if the connection is lost; then this process leads no more
   * @throws {NotLeaderError}
   */
  async lead(): Promise<number | undefined> {
    this.#held ??= await this.#begin();
    if (!this.#held) return undefined;
    try {
      const statement = sql`select pings from leader where epoch = ${this.#epoch}`;
      const [row] = await rows<{ pings: number }>(this.#held.db, statement);
      if (!row) throw new NotLeaderError();
      return row.pings;
    } catch (error) {
      await this.resign();
      throw error;
    }
  }

  /**
   * Lets a transaction write only if no other process leads until it ends.
   *
   * @throws {NotLeaderError}
   */
  async confirm(trx: Trx): Promise<void> {
    const own = sql`select 1 from leader where epoch = ${this.#epoch} ${this.#store.forShare}`;
    if ((await rows(trx, own)).length > 0) return;
    await this.resign();
    throw new NotLeaderError();
  }

  /** Tells the leader that the edition may have changed. */
  async ping(): Promise<void> {
    await sql`update leader set pings = pings + 1`.execute(this.#store.db);
  }

  /** Lets another process lead at once. */
  async resign(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.release();
  }

  async #begin(): Promise<Held<HubTables> | undefined> {
    const held = await this.#store.hold('the leader of the hub');
    if (!held) return undefined;
    try {
      const begun = sql`update leader set epoch = epoch + 1 returning epoch`;
      const [row] = await rows<{ epoch: number }>(held.db, begun);
      this.#epoch = row!.epoch;
      return held;
    } catch (error) {
      await held.release();
      throw error;
    }
  }
}
