import { SQLITE_BUSY } from '../../src/base/sqlite-busy.ts';

interface DatabaseFault {
  code?: unknown;
  errcode?: unknown;
}

/** Serialization failure, deadlock, unique violation (PostgreSQL, appendix A): retry. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);
/** BUSY, READONLY, IOERR, FULL, CANTOPEN: the disk, not the query. */
const SQLITE_UNAVAILABLE = new Set([SQLITE_BUSY, 8, 10, 13, 14]);
/** Classes: connection, resources, operator intervention, system (PostgreSQL, appendix A). */
const PG_UNAVAILABLE = /^(08|53|57|58|25006)/;
const SOCKET_FAULT = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** Messages of pg without a code, for a lost server. */
const PG_CONNECTION = /Connection terminated|timeout exceeded when trying to connect|Client has/;

/** A SQLite file that is damaged, read-only or unreachable, until the operator acts. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';

  constructor(file: string, cause: Error) {
    const advice =
      'It was left as it is. Put a sound copy in its place, or move it away with the files beside ' +
      'it (-wal, -shm) to start without subscriptions.';
    super(`${file} cannot be used: ${cause.message}. ${advice}`, { cause });
  }
}

/**
 * A store that this program must not use, until the operator acts. The message is for the operator, and
 * names nothing that the public may not know.
 */
export class RefusedStoreError extends Error {
  override readonly name = 'RefusedStoreError';
}

/** Tells if two transactions conflicted; a retry may succeed at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(String((error as DatabaseFault).code));
}

/** Tells if the store is unavailable: disk full, database down, no connection. Query errors are not. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  if (error instanceof UnusableFileError) return true;
  const { code, errcode } = error as DatabaseFault;
  if (errcode !== undefined) return SQLITE_UNAVAILABLE.has(Number(errcode) & 0xff);
  if (typeof code === 'string') return PG_UNAVAILABLE.test(code) || SOCKET_FAULT.test(code);
  return PG_CONNECTION.test(error.message);
}
