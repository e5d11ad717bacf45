import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../../src/base/sqlite-busy.ts';
import type { Logger } from './log.ts';

/** A process that is being replaced may take this long to end. */
const WAIT_MS = 5_000;
const OWNER_ONLY = 0o700;
const SQLITE_FULL = 13;

/**
 * Locks DATA_DIR for this process until it ends. SQLite takes the lock from the operating system,
 * which releases it however the process ends, so a lock is never stale. A folder that cannot be
 * locked, for instance because it is read-only, is used without a lock as far as it can be.
 *
 * @returns releases the lock
 * @throws when another process has DATA_DIR
 */
export function lockDataDir(dataDir: string, logger: Logger): () => void {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
    if ((statSync(dataDir).mode & 0o077) !== 0) closeToOthers(dataDir, logger);
    lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: WAIT_MS });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new Error(`DATA_DIR ${dataDir} is in use by another process`, { cause: error });
    }
    logger.log('warn', 'DATA_DIR cannot be locked', { error });
    return () => {};
  }
  return () => lock.close();
}

function closeToOthers(dataDir: string, logger: Logger): void {
  try {
    chmodSync(dataDir, OWNER_ONLY);
  } catch (error) {
    logger.log('warn', 'other users may read DATA_DIR', { error });
  }
}

/** Tells whether an error means that the disk has no room left. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL;
}

/** Names DATA_DIR in an error of a full disk, whose own message names no folder. */
export function nameDataDir(error: unknown, dataDir: string): unknown {
  if (!isDiskFull(error)) return error;
  return new Error(`DATA_DIR ${dataDir} is full: ${(error as Error).message}`, { cause: error });
}
