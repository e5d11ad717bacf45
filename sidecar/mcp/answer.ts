import { reviewLine, type ReviewLines } from '../../src/dataset/document.ts';
import { escapedReviews } from './escaped-reviews.ts';
import type { EncodedResult } from './result.ts';

// The result of a tool is its answer twice: as text, and as structuredContent for clients that know
// it (MCP 2025-06-18, server/tools, structured content). Both are the same JSON.

const TEXT = '"content":[{"type":"text","text":"';
const STRUCTURED = '"}],"structuredContent":';

/** JSON as it stands inside a JSON string. */
function escape(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** An answer without reviews. */
export class PlainAnswer implements EncodedResult {
  readonly #json: string;

  constructor(answer: object) {
    this.#json = JSON.stringify(answer);
  }

  encode(open: string, close: string): Buffer {
    return Buffer.from(open + TEXT + escape(this.#json) + STRUCTURED + this.#json + close);
  }
}

const COMMA = 0x2c;

/** An answer with reviews in it: they are copied from the bytes of reviews.json. */
export class ReviewsAnswer implements EncodedResult {
  readonly #before: string;
  readonly #after: string;
  readonly #lines: ReviewLines;
  readonly #positions: readonly number[];

  /** @param before JSON up to the first review @param after JSON behind the last */
  private constructor(
    before: string,
    after: string,
    lines: ReviewLines,
    positions: readonly number[],
  ) {
    this.#before = before;
    this.#after = after;
    this.#lines = lines;
    this.#positions = positions;
  }

  /** One review as the only member. */
  static one(member: string, lines: ReviewLines, position: number): ReviewsAnswer {
    return new ReviewsAnswer(`{"${member}":`, '}', lines, [position]);
  }

  /** @param answer its other members, of which there is one @param member an array, the last */
  static list(
    answer: object,
    member: string,
    lines: ReviewLines,
    positions: readonly number[],
  ): ReviewsAnswer {
    const before = `${JSON.stringify(answer).slice(0, -1)},"${member}":[`;
    return new ReviewsAnswer(before, ']}', lines, positions);
  }

  encode(open: string, close: string): Buffer {
    const lines = this.#lines;
    const positions = this.#positions;
    const escaped = escapedReviews(lines);
    const head = Buffer.from(open + TEXT + escape(this.#before));
    const middle = Buffer.from(this.#after + STRUCTURED + this.#before);
    const tail = this.#after + close;
    const commas = Math.max(0, positions.length - 1);
    let length = head.length + middle.length + tail.length + 2 * commas;
    length += escaped.prepare(positions);
    for (const position of positions) length += reviewLine(lines, position).length;

    const reply = Buffer.allocUnsafe(length);
    let at = head.copy(reply);
    for (let order = 0; order < positions.length; order++) {
      if (order > 0) reply[at++] = COMMA;
      at += escaped.copy(positions[order]!, reply, at);
    }
    at += middle.copy(reply, at);
    for (let order = 0; order < positions.length; order++) {
      if (order > 0) reply[at++] = COMMA;
      at += reviewLine(lines, positions[order]!).copy(reply, at);
    }
    reply.write(tail, at, 'latin1');
    return reply;
  }
}
