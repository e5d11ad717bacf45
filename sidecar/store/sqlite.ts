import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, sql, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { Store } from './store.ts';

/** Another process may hold the file while it is replaced by this one. */
const OPENING_MS = 5_000;
/** Later on nothing else happens in this process while it waits. */
const BUSY_MS = 100;
const CACHED_STATEMENTS = 200;

/**
 * Opens a file, made where there is none, or `:memory:`. A commit is on the disk when it returns.
 *
 * @param clock stands for the database's clock, in tests
 * @throws when the file is damaged; it is left as it is
 */
export function openSqlite<Tables>(file: string, clock?: () => number): Store<Tables> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new SqliteDialect({ database: adapt(openIntact(file)) });
  const own = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  return new Store('sqlite', new Kysely<Tables>({ dialect: database }), clock ?? own);
}

function openIntact(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: OPENING_MS });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    database.exec('PRAGMA journal_size_limit = 67108864');
    const found = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (found.quick_check !== 'ok') throw new Error(found.quick_check);
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return database;
  } catch (error) {
    database?.close();
    const reason = (error as Error).message;
    throw new Error(
      `${file} cannot be used: ${reason}. It was left as it is. Put a sound copy in its place, or ` +
        'move it away with the files beside it (-wal, -shm) to start without subscriptions.',
      { cause: error },
    );
  }
}

const NO_CHANGE = { changes: 0, lastInsertRowid: 0 };

/** The four members that Kysely's dialect asks of a database. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    // A transaction that reads first and writes later would fail at once beside another writer.
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run(parameters) {
        // A full disk has rolled it back already (https://www.sqlite.org/lang_transaction.html, 3).
        if (text === 'rollback' && !database.isTransaction) return NO_CHANGE;
        return statement.run(...(parameters as SQLInputValue[]));
      },
      iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
    };
  };
  return {
    close: () => database.close(),
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      const statement = prepare(text);
      if (statements.size < CACHED_STATEMENTS) statements.set(text, statement);
      return statement;
    },
  };
}
