import {
  sql,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type Transaction,
} from 'kysely';
import { isConflict } from './faults.ts';

/** How often a transaction that collided with another is begun again. */
const ATTEMPTS = 6;

/** A database for what must outlive a restart. The same queries run on both engines. */
export class Store<Tables> {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgresql';
  readonly #clock: RawBuilder<number> | (() => number);

  /** @param clock milliseconds since 1970: the database's own, or a function that stands for it */
  constructor(
    engine: Store<Tables>['engine'],
    db: Kysely<Tables>,
    clock: RawBuilder<number> | (() => number),
  ) {
    this.engine = engine;
    this.db = db;
    this.#clock = clock;
  }

  /** The time by the one clock that every replica shares, some milliseconds from now if given. */
  now(later = 0): RawBuilder<number> {
    const clock =
      typeof this.#clock === 'function'
        ? sql<number>`cast(${this.#clock()} as bigint)`
        : this.#clock;
    return later === 0 ? clock : sql<number>`(${clock} + cast(${Math.round(later)} as bigint))`;
  }

  /** Takes the rows that no other replica holds, where there can be others. */
  unlocked<DB, Table extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Table, Row>,
    table: Table & string,
  ): SelectQueryBuilder<DB, Table, Row> {
    return this.engine === 'postgresql' ? query.forUpdate(table).skipLocked() : query;
  }

  /** Waits for the rows; SQLite has one writer anyway. */
  locked<DB, Table extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, Table, Row>,
  ): SelectQueryBuilder<DB, Table, Row> {
    return this.engine === 'postgresql' ? query.forUpdate() : query;
  }

  /**
   * Waits until no other transaction has asked for the same name, and keeps others waiting until
   * this one ends. Rows cannot do that for what is not there yet. SQLite has one writer anyway.
   */
  async alone(trx: Transaction<Tables>, name: string): Promise<void> {
    if (this.engine === 'sqlite') return;
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  }

  /** All or nothing; `work` runs again when it collided with another transaction. */
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
