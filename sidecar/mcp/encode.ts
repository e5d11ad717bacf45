import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { reviewLine, type ReviewLines } from '../../src/dataset/document.ts';
import type { McpError } from './error.ts';

/** The members of a result as JSON, so that bytes of reviews.json are copied and never parsed. */
export class EncodedResult {
  /** At least one member, without the braces around them, in chunks. */
  readonly members: readonly Buffer[];

  constructor(members: readonly Buffer[]) {
    this.members = members;
  }
}

export type Result = EncodedResult | Record<string, unknown>;

/** Encodes a result once that every request shares. */
export function sharedResult(result: object): EncodedResult {
  return new EncodedResult([Buffer.from(membersOf(result))]);
}

/**
 * Encodes a JSON-RPC response.
 *
 * @param resultMeta members that revision 2026-07-28 adds; the result's own take precedence
 */
export function encodeResult(id: RequestId, result: Result, resultMeta?: object): Buffer {
  const open = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (!(result instanceof EncodedResult)) {
    return Buffer.from(`${open}${JSON.stringify({ ...resultMeta, ...result })}}`);
  }
  const added = resultMeta ? `${membersOf(resultMeta)},` : '';
  return Buffer.concat([Buffer.from(`${open}{${added}`), ...result.members, Buffer.from('}}')]);
}

/** Encodes a JSON-RPC error; `id` is null if the request had none that could be read. */
export function encodeError(id: RequestId | null, { code, message, data }: McpError): Buffer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}

function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

// A tool's answer appears twice in its result: as text, and as structuredContent for clients that
// know it (MCP 2025-06-18, server/tools, structured content). Both are the same JSON.

const TEXT = '"content":[{"type":"text","text":"';
const STRUCTURED = '"}],"structuredContent":';
const COMMA = Buffer.from(',');

/** Encodes an answer without reviews. */
export function jsonAnswer(answer: object): EncodedResult {
  const json = JSON.stringify(answer);
  return new EncodedResult([Buffer.from(TEXT + escape(json) + STRUCTURED + json)]);
}

/** Encodes an answer whose only member is a review. */
export function reviewAnswer(member: string, lines: ReviewLines, position: number): EncodedResult {
  return answerAround(`{"${member}":`, lines, [position], '}');
}

/**
 * Encodes an answer that ends with reviews.
 *
 * @param answer its other members, at least one
 * @param member name of the array of reviews
 */
export function reviewsAnswer(
  answer: object,
  member: string,
  lines: ReviewLines,
  positions: readonly number[],
): EncodedResult {
  const before = `${JSON.stringify(answer).slice(0, -1)},"${member}":[`;
  return answerAround(before, lines, positions, ']}');
}

function answerAround(
  before: string,
  lines: ReviewLines,
  positions: readonly number[],
  after: string,
): EncodedResult {
  const escaped = escapedReviewsOf(lines);
  return new EncodedResult([
    Buffer.from(TEXT + escape(before)),
    ...separated(positions.map((position) => escaped.get(position))),
    Buffer.from(after + STRUCTURED + before),
    ...separated(positions.map((position) => reviewLine(lines, position))),
    Buffer.from(after),
  ]);
}

function separated(buffers: readonly Buffer[]): Buffer[] {
  return buffers.flatMap((buffer, index) => (index === 0 ? [buffer] : [COMMA, buffer]));
}

/** Escapes JSON for use inside a JSON string. */
function escape(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

const CACHE_BYTES = 8 * 1024 * 1024;

/** Reviews escaped for use inside a JSON string. Escaping costs many times what copying does. */
export class EscapedReviews {
  readonly #lines: ReviewLines;
  readonly #cache = new Map<number, Buffer>();
  #bytes = 0;

  constructor(lines: ReviewLines) {
    this.#lines = lines;
  }

  get(position: number): Buffer {
    let escaped = this.#cache.get(position);
    if (escaped) return escaped;
    // Latin-1 maps bytes to characters one to one; those of UTF-8 sequences need no escape.
    const line = reviewLine(this.#lines, position).toString('latin1');
    escaped = Buffer.from(escape(line), 'latin1');
    if (this.#bytes + escaped.length > CACHE_BYTES) this.#clear();
    this.#cache.set(position, escaped);
    this.#bytes += escaped.length;
    return escaped;
  }

  #clear(): void {
    this.#cache.clear();
    this.#bytes = 0;
  }
}

const escapedReviews = new WeakMap<ReviewLines, EscapedReviews>();

/** Returns the escaped reviews of an edition, which last as long as it does. */
function escapedReviewsOf(lines: ReviewLines): EscapedReviews {
  let escaped = escapedReviews.get(lines);
  if (!escaped) escapedReviews.set(lines, (escaped = new EscapedReviews(lines)));
  return escaped;
}
