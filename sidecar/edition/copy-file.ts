import { createHash } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';

// Everything here blocks its process, which prepares a new edition and serves nothing: thousands of small
// files would spend most of their time on the way between threads.

/** Size and digest of a file, as edition.json states them. */
interface Described {
  size: number;
  /** sha-256 of the bytes, base64url. */
  digest: string;
}

const CHUNK_BYTES = 256 * 1024;
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** Tells an error of a process that lacks a resource from one of a damaged or missing file. */
export function isShortage(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined || SHORTAGES.has(code);
}

/** Verifies a file; returns false also if it is missing. */
export function verifyNow(path: string, { size, digest }: Described): boolean {
  try {
    return withFile(
      path,
      'r',
      (file) => fstatSync(file).size === size && digestOf(file, size) === digest,
    );
  } catch (error) {
    if (isShortage(error)) throw error;
    return false;
  }
}

/** Links a file; returns false if the file system has no links. */
export function linkNow(path: string, target: string): boolean {
  rmSync(target, { force: true });
  try {
    linkSync(path, target);
    return true;
  } catch {
    return false;
  }
}

/** Copies a file and verifies it on the way. @throws if it is not the expected one */
export function copyNow(path: string, target: string, { size, digest }: Described): void {
  rmSync(target, { force: true }); // it may be a link
  withFile(path, 'r', (file) => {
    const { size: found } = fstatSync(file);
    if (found !== size) {
      throw new Error(`${found > size ? 'longer' : 'shorter'} than ${MANIFEST_FILE} says`);
    }
    const copied = withFile(target, 'wx', (copy) =>
      digestOf(file, size, (chunk) => writeFileSync(copy, chunk)),
    );
    if (copied !== digest) throw new Error(`not the bytes of ${MANIFEST_FILE}`);
  });
}

/** Reads the first `size` bytes of a file and returns their digest. */
function digestOf(file: number, size: number, use?: (chunk: Buffer) => void): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let left = size; left > 0;) {
    const chunk = buffer.subarray(0, readSync(file, buffer));
    if (chunk.length === 0) break; // it has been cut meanwhile
    hash.update(chunk);
    use?.(chunk);
    left -= chunk.length;
  }
  return hash.digest('base64url');
}

function withFile<T>(path: string, flags: string, work: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
