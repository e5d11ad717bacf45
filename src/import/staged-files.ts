import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Folder inside the dataset for files that an import has not put in place yet. */
const STAGING = '.importing';

const SQLITE_BUSY = 5;

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

const CHUNK_CHARACTERS = 64 * 1024;

/** A file that is written line by line, in larger chunks. */
class LineFile {
  readonly path: string;
  readonly #file: number;
  #chunk = '';

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'a+');
    const { size } = statSync(path);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(this.#file, last, 0, 1, size - 1);
    // Some editors leave the last line without a line break.
    if (size > 0 && last.toString() !== '\n') this.#chunk = '\n';
  }

  write(line: string): void {
    this.#chunk += `${line}\n`;
    if (this.#chunk.length >= CHUNK_CHARACTERS) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    writeFileSync(this.#file, this.#chunk);
    this.#chunk = '';
  }
}

/**
 * Files written into a hidden folder of a locked dataset, and moved into place all at the end. As
 * SQLite does, they write synchronously: a queue of lines would have to be bounded.
 */
export class StagedFiles implements Disposable {
  readonly #folder: string;
  readonly #files = new Map<string, LineFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens an empty file that shall replace the one of this name. */
  create(name: string): LineFile {
    return this.#open(name, false);
  }

  /** Opens a file that shall replace the one of this name, with its lines. */
  append(name: string): LineFile {
    return this.#files.get(name) ?? this.#open(name, true);
  }

  /** Leaves the file of this name as it is. */
  forget(name: string): void {
    this.#files.get(name)?.close();
    this.#files.delete(name);
  }

  /**
   * Puts the files in place; an empty one deletes the file of its name. The journal comes last, so
   * it never records a change that is not in place yet.
   */
  replace(): string[] {
    const isJournal = (name: string) => Number(name.startsWith('journal/'));
    const files = [...this.#files].sort(([a], [b]) => isJournal(a) - isJournal(b));
    for (const [name] of files) this.forget(name);
    for (const [name, { path }] of files) {
      const final = join(this.#folder, name);
      mkdirSync(dirname(final), { recursive: true });
      if (statSync(path).size > 0) renameSync(path, final);
      else rmSync(final, { force: true });
    }
    return files.map(([name]) => name);
  }

  [Symbol.dispose](): void {
    for (const name of this.#files.keys()) this.forget(name);
  }

  #open(name: string, keepsLines: boolean): LineFile {
    const path = join(this.#folder, STAGING, name);
    const final = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    if (keepsLines && existsSync(final)) copyFileSync(final, path);
    const file = new LineFile(path);
    this.#files.set(name, file);
    return file;
  }
}
