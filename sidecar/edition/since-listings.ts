import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';
import { lineEnd, type ReviewLines } from '../../src/dataset/document.ts';
import {
  countSince,
  dayNumber,
  sinceBody,
  sinceClose,
  sincePrefix,
} from '../../src/dataset/since.ts';
import { quoteDigest } from '../../src/edition/etag.ts';
import { Lru } from '../../src/search/lru.ts';
import type { Steps } from '../../src/search/steps.ts';

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** Bytes between two saved states of the hash, so at most so many are hashed for an ETag. */
const HASH_STRIDE = 64 * 1024;
const STRIDES_PER_STEP = 16;
const KEPT_ETAGS = 256;
const NONE = Buffer.alloc(0);

/** Returns the listing of any day, and its ETag without building it. */
export class SinceListings {
  readonly #lines: ReviewLines;
  readonly #days: Uint32Array;
  readonly #compressed: CompressedPrefix;
  /**
   * States of the hash over the bytes all listings share, one per stride, as far as needed so far.
   */
  readonly #marks: Hash[] = [];
  readonly #etags = new Lru<string>(KEPT_ETAGS);

  /** @param days of the reviews as numbers, newest first */
  constructor(lines: ReviewLines, days: Uint32Array) {
    this.#lines = lines;
    this.#days = days;
    this.#compressed = new CompressedPrefix(lines);
  }

  /** Returns the body in pieces: the bytes that a file of this day would have. */
  body(date: string): Buffer[] {
    return sinceBody(this.#lines, this.#count(date), date);
  }

  /** Returns the gzip of {@link body} in pieces. The first call compresses, the others copy. */
  gzip(date: string): Promise<Buffer[]> {
    return this.#compressed.listing(this.#count(date), date);
  }

  /** Returns the strong ETag of {@link body}, which is that of a file. */
  *etag(date: string): Steps<string> {
    const kept = this.#etags.find(date);
    if (kept !== undefined) return kept;
    const count = this.#count(date);
    const hash = (yield* this.#prefixHash(count)).update(sinceClose(count, date));
    const etag = quoteDigest(hash.digest('base64url'));
    this.#etags.keep(date, etag);
    return etag;
  }

  /** Hashes the bytes that listings share, once: calls at the same time share their work. */
  *#prefixHash(count: number): Steps<Hash> {
    const [open, listed = NONE] = sincePrefix(this.#lines, count);
    const marks = this.#marks;
    if (marks.length === 0) marks.push(createHash('sha256').update(open!));
    const last = Math.floor(listed.length / HASH_STRIDE);
    while (marks.length <= last) {
      const end = marks.length * HASH_STRIDE;
      marks.push(
        marks
          .at(-1)!
          .copy()
          .update(listed.subarray(end - HASH_STRIDE, end)),
      );
      if (marks.length % STRIDES_PER_STEP === 0) yield;
    }
    return marks[last]!.copy().update(listed.subarray(last * HASH_STRIDE));
  }

  #count(date: string): number {
    return countSince(this.#days, dayNumber(date));
  }
}

/** Plain bytes between two cuts, at least. */
const CUT_STRIDE = 64 * 1024;
/** Bytes that deflate can refer back to (RFC 1951, section 2). */
const WINDOW = 32 * 1024;
/** RFC 1952, section 2.3: deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** A place in the shared bytes where a listing can end its use of them. */
interface Cut {
  /** Reviews before it. */
  count: number;
  /** Plain bytes of reviews before it. */
  plain: number;
  /** Bytes of gzip before it. */
  compressed: number;
  /** Checksum of all plain bytes before it. */
  crc: number;
}

/**
 * Compresses the bytes all listings share once. The stream is flushed every few reviews, so a
 * listing is the beginning of it, a few plain bytes and a checksum. It stays one gzip member,
 * because browsers ignore what follows the first.
 */
class CompressedPrefix {
  readonly #lines: ReviewLines;
  #shared: Promise<{ gzip: Buffer; cuts: Cut[] }> | undefined;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
  }

  /** Returns the gzip of a listing in pieces, the first of which all listings share. */
  async listing(count: number, date: string): Promise<Buffer[]> {
    const { gzip, cuts } = await (this.#shared ??= this.#compress());
    const [open, listed = NONE] = sincePrefix(this.#lines, count);
    const cut = cuts.findLast((cut) => cut.count <= count)!;
    const rest = Buffer.concat([listed.subarray(cut.plain), sinceClose(count, date)]);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(rest, cut.crc));
    trailer.writeUInt32LE((open!.length + cut.plain + rest.length) % 2 ** 32, 4);
    return [gzip.subarray(0, cut.compressed), ...storedBlocks(rest), trailer];
  }

  async #compress(): Promise<{ gzip: Buffer; cuts: Cut[] }> {
    const lines = this.#lines;
    const [open, listed = NONE] = sincePrefix(lines, lines.count);
    const pieces = [HEADER, await flushed(open!)];
    let cut = { count: 0, plain: 0, compressed: bytesOf(pieces), crc: crc32(open!) };
    const cuts: Cut[] = [cut];
    for (let count = 1; count <= lines.count; count++) {
      const plain = lineEnd(lines, count - 1) - lines.starts[0]!;
      if (plain - cut.plain < CUT_STRIDE && count < lines.count) continue;
      const part = listed.subarray(cut.plain, plain);
      const piece = await flushed(
        part,
        listed.subarray(Math.max(0, cut.plain - WINDOW), cut.plain),
      );
      pieces.push(piece);
      const compressed = cut.compressed + piece.length;
      cut = { count, plain, compressed, crc: crc32(part, cut.crc) };
      cuts.push(cut);
    }
    return { gzip: Buffer.concat(pieces), cuts };
  }
}

export function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Compresses a part of a stream up to a byte boundary.
 *
 * @param before bytes already in the stream
 */
function flushed(part: Buffer, before: Buffer = NONE): Promise<Buffer> {
  return deflate(part, {
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(before.length > 0 && { dictionary: before }),
  });
}

const STORED_MAX = 0xffff;

/** Ends a deflate stream with uncompressed bytes (RFC 1951, section 3.2.4). */
function storedBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += STORED_MAX) {
    const block = bytes.subarray(at, at + STORED_MAX);
    const head = Buffer.alloc(5);
    head[0] = at + STORED_MAX >= bytes.length ? 1 : 0; // 1 is the last block
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    blocks.push(head, block);
  }
  return blocks;
}
