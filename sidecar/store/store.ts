import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { isConflict } from './errors.ts';

/** Attempts of a transaction that conflicts with others. */
const ATTEMPTS = 6;

/** A connection of its own. What it locks and shows lasts as long as the connection. */
export interface Session {
  /** Locks a number, unless another session has it. */
  lock(number: number): Promise<boolean>;
  unlock(number: number): Promise<void>;
  /**
   * Shows a whole number to the other sessions.
   *
   * @returns what each session shows, always in the same order, and the place of this one
   */
  show(number: number): Promise<{ shown: number[]; own: number }>;
  /** Gives up the connection; does not throw. */
  end(): Promise<void>;
}

/**
 * A database for state that survives restarts. The same queries run on both engines. SQLite has one
 * process and one writer, so nothing is locked here.
 */
export class Store<Tables> {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgresql';
  /** Ends a query so that nobody else can change its rows until the transaction ends. */
  readonly forShare: RawBuilder<unknown> = sql``;
  /** Called when a process calls `notify`, if this one has a session. */
  onNotice = (): void => {};
  readonly #clock: RawBuilder<number> | (() => number);

  /** @param clock milliseconds since 1970: the database's own, or a replacement */
  constructor(
    engine: Store<Tables>['engine'],
    db: Kysely<Tables>,
    clock: RawBuilder<number> | (() => number),
  ) {
    this.engine = engine;
    this.db = db;
    this.#clock = clock;
  }

  /** Returns the time of the clock all replicas share, plus `later` milliseconds. */
  now(later = 0): RawBuilder<number> {
    const clock =
      typeof this.#clock === 'function'
        ? sql<number>`cast(${this.#clock()} as bigint)`
        : this.#clock;
    return later === 0 ? clock : sql<number>`(${clock} + cast(${Math.round(later)} as bigint))`;
  }

  /**
   * Takes an advisory lock on `name` until the transaction ends. Row locks cannot protect rows that
   * do not exist yet.
   */
  async advisoryLock(_trx: Transaction<Tables>, _name: string): Promise<void> {}

  async session(): Promise<Session> {
    const show = async (number: number) => ({ shown: [number], own: 0 });
    return { lock: async () => true, unlock: async () => {}, show, end: async () => {} };
  }

  /** @throws {RefusedStoreError} if the database cannot keep what its users rely on */
  async check(): Promise<void> {}

  /** Returns the names of the columns of a table. */
  async columnsOf(trx: Transaction<Tables>, table: string): Promise<ReadonlySet<string>> {
    const columns = sql<{ name: string }>`select name from pragma_table_info(${table})`;
    return new Set((await columns.execute(trx)).rows.map(({ name }) => name));
  }

  /** Calls `onNotice` of all other processes. */
  async notify(): Promise<void> {}

  /** Runs `work` in a transaction, again if it conflicted with another one. */
  async transaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.db.transaction().execute(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      }
    }
  }

  close(): Promise<void> {
    return this.db.destroy();
  }
}
