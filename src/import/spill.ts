import { DatabaseSync, type StatementSync } from 'node:sqlite';

const CACHE_KIBIBYTES = 8192;

/**
 * Opens a private database that SQLite keeps in a temporary file and deletes when it is closed, for
 * the state of each review of an import, so memory does not grow with their number.
 */
export function openSpill(): DatabaseSync {
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    BEGIN;
  `);
  return database;
}

/** A map in a table of a spill; its values are copies, as JSON. */
export class SpilledMap<K extends string | number, V> {
  readonly #get: StatementSync;
  readonly #set: StatementSync;
  readonly #values: StatementSync;

  constructor(database: DatabaseSync, table: string) {
    database.exec(`CREATE TABLE ${table} (key PRIMARY KEY, value TEXT) WITHOUT ROWID`);
    this.#get = database.prepare(`SELECT value FROM ${table} WHERE key = ?`);
    this.#set = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`);
    this.#values = database.prepare(`SELECT value FROM ${table}`);
  }

  get(key: K): V | undefined {
    const row = this.#get.get(key) as { value: string } | undefined;
    return row && (JSON.parse(row.value) as V);
  }

  set(key: K, value: V): void {
    this.#set.run(key, JSON.stringify(value));
  }

  *values(): Generator<V> {
    for (const { value } of this.#values.iterate() as Iterable<{ value: string }>) {
      yield JSON.parse(value) as V;
    }
  }
}
