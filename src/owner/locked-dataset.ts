import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../base/sqlite-busy.ts';
import { UNFINISHED } from '../content/unfinished.ts';
import { asideOf } from '../files.ts';

const LOCK = '.lock';
/** Files in a dataset's folder that are not part of the dataset, as git ignores them. */
export const WORKING_FILES = [LOCK, '.*.part'];

const NEWLINE = 10;
const LOCK_WAIT_MS = 2_000;

/**
 * Locks a dataset against every other command that writes it, until the lock is disposed of. SQLite
 * asks the system for the lock, so that a killed process does not leave it locked. If a command was
 * stopped while it wrote, its files are put in place first.
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
    if (!isBusy(error)) throw error;
    throw new Error('another import or sync is running: wait until it is done', { cause: error });
  }
  const dataset = new LockedDataset(folder, lock);
  try {
    dataset.finish();
  } catch (error) {
    dataset[Symbol.dispose]();
    throw error;
  }
  return dataset;
}

/** A file that is about to be replaced, and the hash of its new content. */
interface Step {
  name: string;
  sha256: string;
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
  replace(name: string, content: string | Uint8Array): void {
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
   * Writes all changes. New contents are written beside the files, then {@link UNFINISHED} names them,
   * then they take their places: if the process or the system stops, either nothing has changed, or the
   * dataset says that it is unfinished and the next lock completes it.
   *
   * @returns the names of the files that changed
   */
  commit(): string[] {
    const steps: Step[] = [];
    for (const [name, pieces] of this.#contents) {
      const content = Buffer.concat(pieces);
      if (content.equals(this.#read(name))) continue;
      steps.push({ name, sha256: hash('sha256', content) });
      this.#writeAside(name, content, steps);
    }
    this.#contents.clear();
    if (steps.length === 0) return [];
    this.#writeAside(UNFINISHED, JSON.stringify(steps), steps);
    moveInPlace(this.#pathOf(UNFINISHED));
    this.finish();
    return steps.map(({ name }) => name);
  }

  /**
   * Puts the files of {@link UNFINISHED} in place, if a commit got that far.
   *
   * @throws if the files are missing, because git brought the list alone
   */
  finish(): void {
    const list = this.#read(UNFINISHED);
    if (list.length === 0) return;
    for (const { name, sha256 } of JSON.parse(list.toString()) as Step[]) {
      const path = this.#pathOf(name);
      if (existsSync(asideOf(path))) moveInPlace(path);
      else if (hash('sha256', this.#read(name)) !== sha256) throw new Error(unfinishable(path));
    }
    rmSync(this.#pathOf(UNFINISHED));
    syncFolder(this.#folder);
  }

  /** @throws if there is no room, without leaving a part of any step */
  #writeAside(name: string, content: string | Buffer, steps: readonly Step[]): void {
    const aside = asideOf(this.#pathOf(name));
    try {
      mkdirSync(dirname(aside), { recursive: true });
      writeFileSync(aside, content, { flush: true });
    } catch (error) {
      for (const step of steps) rmSync(asideOf(this.#pathOf(step.name)), { force: true });
      rmSync(aside, { force: true });
      throw error;
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Returns the content of a file; nothing if there is none. */
  #read(name: string): Buffer {
    try {
      return readFileSync(this.#pathOf(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

function unfinishable(path: string): string {
  return (
    `${path}: the command that was writing it was stopped on another machine: run it there again, ` +
    'or restore the folder from git'
  );
}

/** Replaces a file by the one that was written beside it; an empty one deletes it. */
function moveInPlace(path: string): void {
  const aside = asideOf(path);
  if (statSync(aside).size === 0) {
    rmSync(path, { force: true });
    rmSync(aside);
  } else renameSync(aside, path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder last; a file's own fsync does not. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open folders, and need not
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
