import { sql, type Kysely } from 'kysely';
import { rows, type HubStore, type HubTables, type Trx } from './tables.ts';

/** Another process leads now; what this one has under way is that one's. */
export class NotLeaderError extends Error {
  override readonly name = 'NotLeaderError';

  constructor() {
    super('another process delivers for the hub');
  }
}

const LOCK = sql`hashtextextended('the leader of the hub', 0)`;
/** The database ends the connection of a leader that says nothing for so long: its network is gone. */
const SILENCE = sql`set idle_session_timeout = '10s'`;

/**
 * Lets one of the processes that share a store deliver. On PostgreSQL that is the one that holds a
 * lock, for as long as its connection lives; on SQLite there is one process. Each leader has an
 * epoch, and what an earlier one writes late is refused.
 */
export class Leader {
  readonly #store: HubStore;
  /** Kept when the connection is lost: until another one leads, what is under way may be written. */
  #epoch = -1;
  #connection: { db: Kysely<HubTables>; release: () => void } | undefined;

  constructor(store: HubStore) {
    this.#store = store;
  }

  get leads(): boolean {
    return this.#connection !== undefined;
  }

  /** Becomes the leader if there is none. @returns true if this process leads */
  async lead(): Promise<boolean> {
    if (this.leads) return true;
    const connection = await this.#connect();
    try {
      if (!(await this.#lock(connection.db))) return false;
      const begun = sql`update leader set epoch = epoch + 1 returning epoch`;
      const [row] = await rows<{ epoch: number }>(connection.db, begun);
      this.#epoch = row!.epoch;
      this.#connection = connection;
      return true;
    } finally {
      if (!this.leads) connection.release();
    }
  }

  /**
   * Returns the time of the database, and the number of pings.
   *
   * @throws if the connection is lost; then this process leads no more
   * @throws {NotLeaderError} if another one leads
   */
  async beat(): Promise<{ now: number; pings: number }> {
    try {
      const [row] = await rows<{ now: number; pings: number }>(
        this.#connection?.db ?? this.#store.db,
        sql`select ${this.#store.now()} as now, pings from leader where ${this.#isOwn()}`,
      );
      if (!row) throw new NotLeaderError();
      return row;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /**
   * Lets a transaction write only if this process leads until it ends.
   *
   * @throws {NotLeaderError}
   */
  async confirm(trx: Trx): Promise<void> {
    const own = await rows(trx, sql`select 1 from leader where ${this.#isOwn()} ${this.#store.forShare}`); // oxfmt-ignore
    if (own.length === 0) throw new NotLeaderError();
  }

  /** Tells the leader that the edition may have changed. */
  async ping(): Promise<void> {
    await sql`update leader set pings = pings + 1`.execute(this.#store.db);
  }

  /** Lets another process lead at once. */
  async resign(): Promise<void> {
    const { db } = this.#connection ?? {};
    if (db && this.#store.engine === 'postgresql') {
      const unlock = sql`select pg_advisory_unlock(${LOCK})`.execute(db);
      const reset = () => sql`reset idle_session_timeout`.execute(db);
      await unlock.then(reset).catch(() => {}); // the connection is lost, and the lock with it
    }
    this.#end();
  }

  #isOwn() {
    return sql`epoch = ${this.#epoch}`;
  }

  #end(): void {
    this.#connection?.release();
    this.#connection = undefined;
  }

  /** Takes a connection out of the pool. SQLite has one for all. */
  #connect(): Promise<{ db: Kysely<HubTables>; release: () => void }> {
    const { db, engine } = this.#store;
    if (engine === 'sqlite') return Promise.resolve({ db, release: () => {} });
    return new Promise((resolve, reject) => {
      const held = db.connection().execute(async (own) => {
        await new Promise<void>((release) => resolve({ db: own, release }));
      });
      held.catch(reject);
    });
  }

  async #lock(db: Kysely<HubTables>): Promise<boolean> {
    if (this.#store.engine === 'sqlite') return true;
    const tried = sql`select pg_try_advisory_lock(${LOCK}) as "isLocked"`;
    const [row] = await rows<{ isLocked: boolean }>(db, tried);
    if (row!.isLocked) await SILENCE.execute(db);
    return row!.isLocked;
  }
}
