import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { isBusy } from '../../src/base/sqlite-busy.ts';
import type { Logger } from './log.ts';
import { readIfPresent, writeAside } from '../../src/files.ts';

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

/** Files in DATA_DIR, for secrets that no setting gives. */
const SECRET_FILES = { MCP_SECRET: 'mcp-secret', HUB_KEY: 'hub-key' } as const;

/** A shorter file is not a secret: it was cut off while it was written. */
const MIN_LENGTH = 16;

/**
 * Returns a secret: the setting, else a file in DATA_DIR that the first start creates. DATA_DIR is
 * locked, so no other process creates it at the same time. A file that was cut off is kept aside.
 *
 * @throws if replicas share a database but no secret is set
 */
export async function secretOf<Name extends keyof typeof SECRET_FILES>(
  name: Name,
  config: Record<Name | 'DATABASE_URL' | 'DATA_DIR', string>,
  logger: Logger,
): Promise<string> {
  if (config[name] !== '') return config[name];
  if (config.DATABASE_URL !== '') {
    throw new Error(
      `bad settings:\n${name}: must be set with DATABASE_URL, to the same value for every replica`,
    );
  }
  const file = join(config.DATA_DIR, SECRET_FILES[name]);
  const present = (await readIfPresent(file))?.toString();
  if (present !== undefined) {
    if (present.length >= MIN_LENGTH) return present;
    const kept = `${file}.cut-off`;
    await rename(file, kept);
    const message = 'a secret was cut off and is replaced: restore its file from a backup';
    logger.log('error', message, { file, kept });
  }
  const secret = randomBytes(32).toString('base64url');
  await mkdir(config.DATA_DIR, { recursive: true });
  await writeAside(file, secret, 0o600);
  return secret;
}
