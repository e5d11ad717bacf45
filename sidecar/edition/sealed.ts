import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { writeAside } from '../base/write-aside.ts';

const SEAL_BYTES = 32;

/**
 * Reads a computed value from a file, or computes it and leaves it there for the next start. A file
 * that cannot be read or written costs time, never an answer.
 *
 * @param madeFor names what the value is computed from and its shape; a value of others is not read
 */
export async function sealed<T>(file: string, madeFor: string, compute: () => T): Promise<T> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept?.subarray(0, SEAL_BYTES).equals(seal(madeFor, kept.subarray(SEAL_BYTES)))) {
    return deserialize(kept.subarray(SEAL_BYTES)) as T;
  }
  const value = compute();
  const bytes = serialize(value);
  await writeAside(file, Buffer.concat([seal(madeFor, bytes), bytes])).catch(() => undefined);
  return value;
}

/** Returns the digest of a value, of what it is made for, and of the version that serialized it. */
function seal(madeFor: string, bytes: Buffer): Buffer {
  const head = `${process.versions.v8} ${madeFor}\n`;
  return createHash('sha256').update(head).update(bytes).digest();
}
