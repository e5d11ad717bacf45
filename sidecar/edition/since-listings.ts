import { createHash, type Hash } from 'node:crypto';
import type { ReviewLines } from '../../src/dataset/document.ts';
import {
  countSince,
  dayNumber,
  sinceBody,
  sinceClose,
  sincePrefix,
} from '../../src/dataset/since.ts';
import { quoteDigest } from '../../src/edition/etag.ts';
import { CompressedPrefix } from './compressed-prefix.ts';

/** Bytes between two marks: what a validator costs to hash, once all marks are set. */
const STRIDE = 64 * 1024;
const NONE = Buffer.alloc(0);

/** The listing of any day, and its validator without building it. */
export class SinceListings {
  readonly #lines: ReviewLines;
  readonly #days: Uint32Array;
  readonly #compressed: CompressedPrefix;
  /** The running hash over what listings share, at each stride; set as far as was asked for. */
  readonly #marks: Hash[] = [];

  /** @param days of the reviews as numbers, newest first */
  constructor(lines: ReviewLines, days: Uint32Array) {
    this.#lines = lines;
    this.#days = days;
    this.#compressed = new CompressedPrefix(lines);
  }

  /** The body as pieces; together the bytes that a file of this day would have. */
  body(date: string): Buffer[] {
    return sinceBody(this.#lines, this.#count(date), date);
  }

  /** The gzip of {@link body} as pieces; the first call of an edition compresses, others copy. */
  gzip(date: string): Promise<Buffer[]> {
    return this.#compressed.listing(this.#count(date), date);
  }

  /** The strong validator of {@link body}: equal to the digest of the file. */
  etag(date: string): string {
    const count = this.#count(date);
    const hash = this.#prefixHash(count).update(sinceClose(count, date));
    return quoteDigest(hash.digest('base64url'));
  }

  #prefixHash(count: number): Hash {
    const [open, listed = NONE] = sincePrefix(this.#lines, count);
    const marks = this.#marks;
    if (marks.length === 0) marks.push(createHash('sha256').update(open!));
    const last = Math.floor(listed.length / STRIDE);
    while (marks.length <= last) {
      const end = marks.length * STRIDE;
      marks.push(
        marks
          .at(-1)!
          .copy()
          .update(listed.subarray(end - STRIDE, end)),
      );
    }
    return marks[last]!.copy().update(listed.subarray(last * STRIDE));
  }

  #count(date: string): number {
    return countSince(this.#days, dayNumber(date));
  }
}
