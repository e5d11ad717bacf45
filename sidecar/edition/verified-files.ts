import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { pathInside } from '../../src/edition/manifest.ts';
import type { EditionFile } from './source.ts';

/** A file of the served edition is damaged on the disk and cannot be fetched again at the moment. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
  /** HTTP status: a later attempt may succeed. */
  readonly status = 503;
}

/** Fetches a damaged file again and verifies it. @throws if the source does not have it */
export type Repair = (file: EditionFile, folder: string) => Promise<void>;

const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** Tells an error of a process that lacks a resource from one of a damaged or missing file. */
function isShortage(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined || SHORTAGES.has(code);
}

/** Tells whether a file is there and has the expected bytes. */
export async function isWhole(path: string, file: EditionFile): Promise<boolean> {
  const work = async (handle: FileHandle) => (await isExpected(handle, file)) || undefined;
  return (await attempt(path, work, file)) ?? false;
}

/** Once a file could not be fetched again, requests for it fail at once for this long. */
const RETRY_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads the files of an edition from the disk. Each is verified before its bytes are used: a file
 * that is read into memory each time, a streamed one once and again if its inode, size or times
 * change. A damaged or missing file is fetched again from the source.
 */
export class VerifiedFiles {
  readonly #folder: string;
  readonly #fetchAgain: Repair | undefined;
  /** State of each streamed file when it was last verified. */
  readonly #stamps = new Map<string, string>();
  readonly #checks = new Map<string, Promise<boolean>>();
  readonly #repairs = new Map<string, Promise<void>>();
  /** Files that could not be fetched again, with the time of the next attempt. */
  readonly #lost = new Map<string, number>();

  /** @param fetchAgain undefined if the folder is not in DATA_DIR */
  constructor(folder: string, fetchAgain?: Repair) {
    this.#folder = folder;
    this.#fetchAgain = fetchAgain;
  }

  /** Number of files that are damaged and could not be fetched again. */
  get lost(): number {
    return this.#lost.size;
  }

  /** Reads a file. @throws {DamagedFileError} */
  read(file: EditionFile): Promise<Buffer> {
    return this.#use(file, async (handle) => {
      const bytes = Buffer.allocUnsafeSlow(file.size); // it may be kept, and a pool with it
      const isWhole = await matches(handle, file, (at) => bytes.subarray(at, at + CHUNK_BYTES));
      return isWhole ? bytes : undefined;
    });
  }

  /** Opens a file to be streamed; the caller closes it. @throws {DamagedFileError} */
  open(file: EditionFile): Promise<FileHandle> {
    return this.#use(file, async (handle) =>
      (await this.#isVerified(handle, file)) ? handle : undefined,
    );
  }

  /** Runs `work`, and once more if it finds the file damaged and the file could be fetched again. */
  async #use<T>(
    file: EditionFile,
    work: (handle: FileHandle) => Promise<T | undefined>,
  ): Promise<T> {
    const path = pathInside(this.#folder, file.file);
    for (let repaired = false; ; repaired = true) {
      const result = await attempt(path, work, file);
      if (result !== undefined) {
        this.#lost.delete(file.file);
        return result;
      }
      if (repaired) throw new DamagedFileError(`${path} is damaged again right after its repair`);
      await this.#repair(file, path);
    }
  }

  async #isVerified(handle: FileHandle, file: EditionFile): Promise<boolean> {
    const { ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
    const stamp = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    if (this.#stamps.get(file.file) === stamp) return true;
    const key = `${file.file} ${stamp}`;
    let check = this.#checks.get(key);
    if (!check) {
      check = isExpected(handle, file).finally(() => this.#checks.delete(key));
      this.#checks.set(key, check);
    }
    const verified = await check;
    if (verified) this.#stamps.set(file.file, stamp);
    return verified;
  }

  #repair(file: EditionFile, path: string): Promise<void> {
    const running = this.#repairs.get(file.file);
    if (running) return running;
    const repair = this.#fetch(file, path).finally(() => this.#repairs.delete(file.file));
    this.#repairs.set(file.file, repair);
    return repair;
  }

  async #fetch(file: EditionFile, path: string): Promise<void> {
    const early = performance.now() < (this.#lost.get(file.file) ?? 0);
    if (!this.#fetchAgain || early) throw new DamagedFileError(`${path} is damaged`);
    try {
      await this.#fetchAgain(file, this.#folder);
    } catch (error) {
      this.#lost.set(file.file, performance.now() + RETRY_MS);
      throw new DamagedFileError(`${path} is damaged`, { cause: error });
    }
  }
}

/** Verifies an open file. */
function isExpected(handle: FileHandle, file: EditionFile): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(Math.min(file.size, CHUNK_BYTES));
  return matches(handle, file, () => chunk);
}

/**
 * Reads and verifies an open file. Requests are served while a large one is hashed.
 *
 * @param memoryAt returns memory for the bytes at a position
 */
async function matches(
  handle: FileHandle,
  { size, digest }: EditionFile,
  memoryAt: (position: number) => Buffer,
): Promise<boolean> {
  const hash = createHash('sha256');
  for (let position = 0; position < size;) {
    const memory = memoryAt(position);
    const { bytesRead } = await handle.read(memory, 0, memory.length, position);
    if (bytesRead === 0) return false;
    hash.update(memory.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('base64url') === digest;
}

/**
 * Opens a file of the expected size and runs `work`; returns undefined if the file is damaged.
 * Closes it unless `work` returns it.
 */
async function attempt<T>(
  path: string,
  work: (handle: FileHandle) => Promise<T | undefined>,
  { size }: EditionFile,
): Promise<T | undefined> {
  let handle: FileHandle | undefined;
  let result: T | undefined;
  try {
    handle = await open(path);
    if ((await handle.stat()).size === size) result = await work(handle);
  } catch (error) {
    if (isShortage(error)) throw error;
  } finally {
    if (handle && (result as unknown) !== handle) await handle.close();
  }
  return result;
}
