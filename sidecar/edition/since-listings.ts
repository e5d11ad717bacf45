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

/** The listing of any day, and its validator without building it. */
export class SinceListings {
  readonly #lines: ReviewLines;
  readonly #days: Uint32Array;
  /** The running hash up to each length that a listing can have; filled as days are asked for. */
  readonly #prefixHashes = new Map<number, Hash>();

  /** @param days of the reviews as numbers, newest first */
  constructor(lines: ReviewLines, days: Uint32Array) {
    this.#lines = lines;
    this.#days = days;
  }

  /** The body as pieces; together the bytes that a file of this day would have. */
  body(date: string): Buffer[] {
    return sinceBody(this.#lines, this.#count(date), date);
  }

  /** The strong validator of {@link body}: equal to the digest of the file. */
  etag(date: string): string {
    const count = this.#count(date);
    let prefix = this.#prefixHashes.get(count);
    if (!prefix) {
      prefix = createHash('sha256');
      for (const piece of sincePrefix(this.#lines, count)) prefix.update(piece);
      this.#prefixHashes.set(count, prefix);
    }
    return quoteDigest(prefix.copy().update(sinceClose(count, date)).digest('base64url'));
  }

  #count(date: string): number {
    return countSince(this.#days, dayNumber(date));
  }
}
