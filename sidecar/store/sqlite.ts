import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, sql, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { isBusy } from '../../src/base/sqlite-busy.ts';
import { UnusableFileError } from './errors.ts';
import { Store } from './store.ts';

/** Short, because this process is blocked while it waits for another one's lock. */
const BUSY_MS = 100;
const CACHED_STATEMENTS = 200;
const OWNER_ONLY = 0o600;

/**
 * Opens a store in a file (created if missing) or in `:memory:`. It opens on first use, and again
 * after a failed attempt. A commit is on disk when it returns. Only the user of this process may
 * read the file.
 *
 * @param clock replaces the database's clock, in tests
 * @returns a store whose queries throw {@link UnusableFileError} while the file cannot be used
 */
export function openSqlite<Tables>(file: string, clock?: () => number): Store<Tables> {
  const dialect = new SqliteDialect({ database: async () => adapt(openIntact(file)) });
  const own = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  return new Store('sqlite', new Kysely<Tables>({ dialect }), clock ?? own);
}

/** Opens a file, or leaves it untouched if it cannot be used. */
function openIntact(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') prepareFile(file);
    database = openFile(file);
    const found = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (found.quick_check !== 'ok') throw new Error(found.quick_check);
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) throw error;
    throw new UnusableFileError(file, error as Error);
  }
}

function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  database.exec('PRAGMA journal_size_limit = 67108864');
  return database;
}

/**
 * Creates the file if it is missing. Files of this program are never empty, not even after a kill,
 * because they are created elsewhere and linked. So an empty file has lost its data and is not
 * treated as new.
 */
function prepareFile(file: string): void {
  const present = statSync(file, { throwIfNoEntry: false });
  if (!present) return createFile(file);
  if (present.size === 0) throw new Error('it is empty');
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(file + part)) chmodSync(file + part, OWNER_ONLY);
  }
}

function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const staging = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(staging, '', { mode: OWNER_ONLY });
    openFile(staging).close();
    linkSync(staging, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(staging, { force: true });
  }
}

const NO_CHANGE = { changes: 0, lastInsertRowid: 0 };

/** Adapts a database to the four members that Kysely's dialect uses. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    // A transaction that reads before it writes would fail at once if there is another writer.
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run(parameters) {
        // A full disk has already rolled it back (https://www.sqlite.org/lang_transaction.html, 3).
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
