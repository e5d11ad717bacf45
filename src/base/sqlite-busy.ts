/** https://www.sqlite.org/rescode.html */
export const SQLITE_BUSY = 5;

/** Tells if another connection has kept a SQLite file locked for the full wait. */
export function isBusy(error: unknown): boolean {
  // An extended result code has the primary one in its low byte.
  return (Number((error as { errcode?: unknown }).errcode) & 0xff) === SQLITE_BUSY;
}
