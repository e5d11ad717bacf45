import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK = '.lock';
/** Files in a dataset's folder that are not part of the dataset, as git ignores them. */
export const WORKING_FILES = [LOCK, '.*.part'];

const NEWLINE = 10;
const SQLITE_BUSY = 5;
const LOCK_WAIT_MS = 2_000;

/**
 * Locks a dataset against every other command that writes it, until the lock is disposed of. SQLite
 * asks the system for the lock, so that a killed process does not leave it locked.
 *
 * @param isNew true if business.json is about to be written
 * @throws when another process has it, or there is no dataset
 */
export function lockDataset(folder: string, isNew = false): LockedDataset {
  if (isNew) mkdirSync(folder, { recursive: true });
  else if (!existsSync(join(folder, 'business.json'))) {
    throw new Error(`${folder} has no business.json: npm run new writes one`);
  }
  const lock = new DatabaseSync(join(folder, LOCK), { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error('another import or sync is running: wait until it is done', { cause: error });
  }
  return new LockedDataset(folder, lock);
}

/** A dataset that only this process writes. Changes are collected, and written by {@link commit}. */
export class LockedDataset implements Disposable {
  readonly #folder: string;
  readonly #lock: DatabaseSync;
  /** The new content of files by their name, in pieces. */
  readonly #contents = new Map<string, Buffer[]>();

  constructor(folder: string, lock: DatabaseSync) {
    this.#folder = folder;
    this.#lock = lock;
  }

  /** Gives a file new content; without any it is deleted. */
  replace(name: string, content: string): void {
    this.#contents.set(name, [Buffer.from(content)]);
  }

  /** Adds a line to the end of a file. */
  append(name: string, line: string): void {
    const pieces = this.#contents.get(name) ?? [this.#read(name)];
    const end = pieces.at(-1)!.at(-1);
    // Some editors leave the last line without a line break.
    if (end !== undefined && end !== NEWLINE) pieces.push(Buffer.from('\n'));
    pieces.push(Buffer.from(`${line}\n`));
    this.#contents.set(name, pieces);
  }

  /**
   * Writes all changes, each file at once. If the process or the system stops between two files, the
   * same command completes the rest when it runs again.
   *
   * @returns the names of the files that changed
   */
  commit(): string[] {
    const names = [...this.#contents.keys()].sort((a, b) => orderOf(a) - orderOf(b));
    return names.filter((name) => {
      const path = join(this.#folder, name);
      const content = Buffer.concat(this.#contents.get(name)!);
      this.#contents.delete(name);
      if (content.equals(this.#read(name))) return false;
      if (content.length === 0) rmSync(path);
      else writeDurably(path, content);
      syncFolder(dirname(path));
      return true;
    });
  }

  /** Returns the content of a file; nothing if there is none. */
  #read(name: string): Buffer {
    try {
      return readFileSync(join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

/**
 * Tombstones come before the lines that they replace, and the journal last: it never records a
 * change that is not in place yet. A dataset is one once it has business.json.
 */
function orderOf(name: string): number {
  if (name === 'withdrawn.jsonl') return 0;
  return name.startsWith('journal/') || name === 'business.json' ? 2 : 1;
}

/** Replaces a file by one that was written and flushed beside it. */
function writeDurably(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = join(dirname(path), `.${basename(path)}.part`);
  const file = openSync(aside, 'w');
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(aside, path);
}

/** Makes the names in a folder last; a file's own fsync does not. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // it cannot open folders, and needs not
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
