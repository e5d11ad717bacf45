import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';
import { writeAside } from '../base/write-aside.ts';

/** Changes with the layout of the file, so that those of other versions are not read. */
const LAYOUT = 2;
const SEAL_BYTES = 32;
/** Length of what precedes the arrays, as a number of 8 bytes. */
const LENGTH_BYTES = 8;
/** Bytes; each array begins at a multiple of it, so that it can be used where it is read. */
const ALIGNMENT = 8;
const HASHED_PER_TURN = 1024 * 1024;

/**
 * Reads a computed value from a file, or computes it and leaves it there for the next start. A file
 * that cannot be read or written costs time, never an answer. Requests are served while a large file
 * is read.
 *
 * @param madeFor names what the value is computed from and its shape; a value of others is not read
 * @param compute returns plain data; its typed arrays, if read, are views of one buffer
 */
export async function sealed<T>(file: string, madeFor: string, compute: () => T): Promise<T> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept) {
    const bytes = kept.subarray(SEAL_BYTES);
    if (kept.subarray(0, SEAL_BYTES).equals(await seal(madeFor, bytes))) return unpack(bytes) as T;
  }
  const value = compute();
  const bytes = pack(value);
  await writeAside(file, Buffer.concat([await seal(madeFor, bytes), bytes])).catch(() => undefined);
  return value;
}

/** Returns the digest of a value, of what it is made for, and of the versions that packed it. */
async function seal(madeFor: string, bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256').update(`${process.versions.v8} ${LAYOUT} ${madeFor}\n`);
  for (let at = 0; at < bytes.length; at += HASHED_PER_TURN) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + HASHED_PER_TURN));
  }
  return hash.digest();
}

const KINDS = [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array] as const;
type TypedArray = InstanceType<(typeof KINDS)[number]>;

/** Writes the places of typed arrays, and collects the arrays. V8 would write them unaligned. */
class Packer extends DefaultSerializer {
  readonly arrays: TypedArray[] = [];
  #end = 0;

  // oxlint-disable-next-line no-underscore-dangle -- the name that V8's serializer calls
  _writeHostObject(array: TypedArray): void {
    const kind = KINDS.findIndex((kind) => array instanceof kind);
    if (kind === -1) throw new TypeError(`a ${array.constructor.name} cannot be kept`);
    this.writeUint32(kind);
    this.writeUint32(array.length);
    this.writeDouble(this.#end);
    this.arrays.push(array);
    this.#end = aligned(this.#end + array.byteLength);
  }
}

function pack(value: unknown): Buffer {
  const packer = new Packer();
  packer.writeHeader();
  packer.writeValue(value);
  const head = packer.releaseBuffer();
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeDoubleLE(head.length);
  const pieces = [length, head, padding(head.length)];
  for (const { buffer, byteOffset, byteLength } of packer.arrays) {
    pieces.push(Buffer.from(buffer, byteOffset, byteLength), padding(byteLength));
  }
  return Buffer.concat(pieces);
}

class Unpacker extends DefaultDeserializer {
  readonly #arrays: Buffer;

  constructor(head: Buffer, arrays: Buffer) {
    super(head);
    this.#arrays = arrays;
  }

  // oxlint-disable-next-line no-underscore-dangle -- the name that V8's deserializer calls
  _readHostObject(): TypedArray {
    const kind = KINDS[this.readUint32()]!;
    const length = this.readUint32();
    const { buffer, byteOffset } = this.#arrays;
    return new kind(buffer as ArrayBuffer, byteOffset + this.readDouble(), length);
  }
}

function unpack(bytes: Buffer): unknown {
  const length = bytes.readDoubleLE();
  const arrays = bytes.subarray(LENGTH_BYTES + aligned(length));
  const unpacker = new Unpacker(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length), arrays);
  unpacker.readHeader();
  return unpacker.readValue();
}

function padding(length: number): Buffer {
  return Buffer.alloc(aligned(length) - length);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
