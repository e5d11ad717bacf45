import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { isConflict } from './errors.ts';

/** Attempts of a transaction that conflicts with others. */
const ATTEMPTS = 6;

/** A database for state that survives restarts. The same queries run on both engines. */
export class Store<Tables> {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgresql';
  /** Ends a query that locks its rows; empty on SQLite, which has only one writer. */
  readonly forUpdate: RawBuilder<unknown>;
  /** The same for rows that others may lock too, but not change. */
  readonly forShare: RawBuilder<unknown>;
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
    const isShared = engine === 'postgresql';
    this.forUpdate = isShared ? sql`for update` : sql``;
    this.forShare = isShared ? sql`for share` : sql``;
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
   * do not exist yet. SQLite has only one writer.
   */
  async advisoryLock(trx: Transaction<Tables>, name: string): Promise<void> {
    if (this.engine === 'sqlite') return;
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  }

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
