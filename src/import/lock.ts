import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Folder inside the dataset for what an import has not put in place yet. */
export const STAGING = '.importing';

/**
 * Locks a dataset against other imports and syncs, until the lock is disposed of with all that was
 * staged. SQLite asks the system for the lock, so that a killed process does not leave it locked.
 *
 * @throws when another process has it
 */
export function lockDataset(contentDir: string): Disposable {
  const folder = join(contentDir, STAGING);
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error('another import or sync is running: wait until it is done', { cause: error });
  }
  return {
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
      database.close();
    },
  };
}

const SQLITE_BUSY = 5;
