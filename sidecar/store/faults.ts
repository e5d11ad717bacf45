interface DatabaseFault {
  code?: unknown;
  errcode?: unknown;
}

/** Serialization failure, deadlock, unique violation (PostgreSQL, appendix A): begin again. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);
/** https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
/** BUSY, READONLY, IOERR, FULL, CANTOPEN: the disk, not the query. */
const SQLITE_UNAVAILABLE = new Set([SQLITE_BUSY, 8, 10, 13, 14]);
/** Classes: connection, resources, operator intervention, system (PostgreSQL, appendix A). */
const PG_UNAVAILABLE = /^(08|53|57|58|25006)/;
const SOCKET_FAULT = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** What pg says without a code when the server went away. */
const PG_CONNECTION = /Connection terminated|timeout exceeded when trying to connect|Client has/;

/** A SQLite file that is damaged, read-only or out of reach; nobody but the operator can help. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';

  constructor(file: string, cause: Error) {
    const advice =
      'It was left as it is. Put a sound copy in its place, or move it away with the files beside ' +
      'it (-wal, -shm) to start without subscriptions.';
    super(`${file} cannot be used: ${cause.message}. ${advice}`, { cause });
  }
}

/** Two transactions met; the same work may succeed at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(String((error as DatabaseFault).code));
}

/** Another process keeps the file to itself, and did so for as long as was waited. */
export function isBusy(error: unknown): boolean {
  return primary((error as DatabaseFault).errcode) === SQLITE_BUSY;
}

/** The store cannot take it now: disk full, database down, no connection. Not a fault of a query. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  if (error instanceof UnusableFileError) return true;
  const { code, errcode } = error as DatabaseFault;
  if (errcode !== undefined) return SQLITE_UNAVAILABLE.has(primary(errcode));
  if (typeof code === 'string') return PG_UNAVAILABLE.test(code) || SOCKET_FAULT.test(code);
  return PG_CONNECTION.test(error.message);
}

/** An extended result code has the primary one in its low byte. */
function primary(errcode: unknown): number {
  return Number(errcode) & 0xff;
}
