import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** Files in a dataset's folder that are not part of the dataset; `npm run new` has git ignore them. */
export const WORKING_FILES = { lock: '.lock', staging: '.writing' } as const;
const PLAN = 'plan.json';

const NEWLINE = 10;

const SQLITE_BUSY = 5;
const LOCK_WAIT_MS = 2_000;

const digest = z.string().nullable();
/** Files to be replaced, in this order. The new version of each is staged under its position. */
const plan = z.array(
  z.strictObject({
    name: z.string().regex(/^(?!\.\.?(\/|$))[\w.-]+(\/(?!\.\.?$)[\w.-]+)?$/),
    before: digest.describe('Of the file as it was; null if there was none.'),
    after: digest.describe('Of the new version; null if the file is deleted.'),
  }),
);
type Plan = z.infer<typeof plan>;

interface LockOptions {
  /** True if business.json is about to be written. */
  isNew?: boolean;
  /** Takes a sentence about a write that was interrupted. */
  notify?: (sentence: string) => void;
}

/**
 * Locks a dataset against every other command that writes it, until the lock is disposed of. SQLite
 * asks the system for the lock, so that a killed process does not leave it locked. Finishes or
 * undoes a write that was interrupted.
 *
 * @throws when another process has it, or there is no dataset
 */
export function lockDataset(folder: string, options: LockOptions = {}): LockedDataset {
  const { isNew, notify = (sentence) => process.stderr.write(`${sentence}\n`) } = options;
  if (isNew) mkdirSync(folder, { recursive: true });
  else if (!existsSync(join(folder, 'business.json'))) {
    throw new Error(`${folder} has no business.json: npm run new writes one`);
  }
  const lock = new DatabaseSync(join(folder, WORKING_FILES.lock), { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    recover(folder, notify);
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
  readonly #replaced = new Map<string, string>();
  readonly #appended = new Map<string, string[]>();

  constructor(folder: string, lock: DatabaseSync) {
    this.#folder = folder;
    this.#lock = lock;
  }

  /** Gives a file new content; without any it is deleted. */
  replace(name: string, content: string): void {
    this.#replaced.set(name, content);
  }

  /** Adds a line to the end of a file. */
  append(name: string, line: string): void {
    const lines = this.#appended.get(name);
    if (lines) lines.push(line);
    else this.#appended.set(name, [line]);
  }

  /**
   * Writes all changes, or none if the process or the system stops before they are planned: what was
   * planned is finished by the next {@link lockDataset}. The new files and the plan are on the disk
   * before the first of them is put in place.
   *
   * @returns the names of the files that changed
   */
  commit(): string[] {
    const staging = join(this.#folder, WORKING_FILES.staging);
    const moves: Plan = [];
    const names = new Set([...this.#replaced.keys(), ...this.#appended.keys()]);
    for (const name of [...names].sort((a, b) => orderOf(a) - orderOf(b))) {
      const before = readIfThere(join(this.#folder, name));
      const content = this.#take(name, before);
      const after = content.length === 0 ? null : hash('sha256', content);
      const move = { name, before: before ? hash('sha256', before) : null, after };
      if (move.before === after) continue;
      if (moves.length === 0) mkdirSync(staging);
      if (after !== null) writeDurably(join(staging, String(moves.length)), content);
      moves.push(move);
    }
    if (moves.length === 0) return [];
    writeDurably(join(staging, 'plan'), JSON.stringify(moves));
    renameSync(join(staging, 'plan'), join(staging, PLAN));
    syncFolder(staging);
    syncFolder(this.#folder);
    finish(this.#folder, moves);
    return moves.map(({ name }) => name);
  }

  /** Returns the new content of a file, and holds it no longer. */
  #take(name: string, before: Buffer | undefined): Buffer {
    const replaced = this.#replaced.get(name);
    const lines = this.#appended.get(name);
    this.#replaced.delete(name);
    this.#appended.delete(name);
    const start = replaced === undefined ? (before ?? Buffer.alloc(0)) : Buffer.from(replaced);
    if (!lines) return start;
    // Some editors leave the last line without a line break.
    const lineBreak = start.length > 0 && start.at(-1) !== NEWLINE ? '\n' : '';
    return Buffer.concat([start, Buffer.from(`${lineBreak}${lines.join('\n')}\n`)]);
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

/**
 * Tombstones come before the lines that they replace, and the journal last: it never records a
 * change that is not in place yet.
 */
function orderOf(name: string): number {
  if (name === 'withdrawn.jsonl') return 0;
  return name.startsWith('journal/') ? 2 : 1;
}

/** Puts the staged files in place, as far as they are not, and removes the plan. */
function finish(folder: string, moves: Plan): void {
  const staging = join(folder, WORKING_FILES.staging);
  for (const [position, { name, after }] of moves.entries()) {
    const [staged, final] = [join(staging, String(position)), join(folder, name)];
    if (after === null) rmSync(final, { force: true });
    else if (existsSync(staged)) {
      mkdirSync(dirname(final), { recursive: true });
      renameSync(staged, final);
    }
    if (existsSync(dirname(final))) syncFolder(dirname(final));
  }
  syncFolder(folder);
  rmSync(join(staging, PLAN));
  rmSync(staging, { recursive: true });
  syncFolder(folder);
}

/** Finishes a write that was planned, and undoes one that was not. */
function recover(folder: string, notify: (sentence: string) => void): void {
  const staging = join(folder, WORKING_FILES.staging);
  if (!existsSync(staging)) return;
  const moves = readPlan(join(staging, PLAN));
  // Told first, because this may be interrupted too.
  if (moves) {
    checkUntouched(folder, moves);
    const names = moves.map(({ name }) => name).join(', ');
    notify(`The last command was interrupted while it wrote. Finishing it: ${names}`);
    return finish(folder, moves);
  }
  if (readdirSync(staging).length > 0) {
    notify('The last command was interrupted before it changed anything: run it again.');
  }
  rmSync(staging, { recursive: true });
  syncFolder(folder);
}

function readPlan(path: string): Plan | undefined {
  const bytes = readIfThere(path);
  if (bytes === undefined) return undefined;
  try {
    return plan.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new Error(`${path} cannot be read: delete its folder, and run the last command again`, {
      cause: error,
    });
  }
}

/** @throws if a person changed a file that the plan is about to replace */
function checkUntouched(folder: string, moves: Plan): void {
  for (const [position, { name, before, after }] of moves.entries()) {
    const staged = join(folder, WORKING_FILES.staging, String(position));
    const isOpen = after === null || existsSync(staged);
    const now = digestOf(join(folder, name));
    if (
      !isOpen ||
      now === after ||
      (now === before && (after === null || digestOf(staged) === after))
    )
      continue;
    throw new Error(
      `${join(folder, name)} was changed after a command was interrupted that was about to ` +
        `${after === null ? 'delete it' : `replace it with ${staged}`}: put the right version in ` +
        `place, and delete ${join(folder, WORKING_FILES.staging)}`,
    );
  }
}

function writeDurably(path: string, content: string | Buffer): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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

function digestOf(path: string): string | null {
  const bytes = readIfThere(path);
  return bytes === undefined ? null : hash('sha256', bytes);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
