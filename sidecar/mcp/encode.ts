import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { readReview, reviewJson, type ReviewLines } from '../../src/dataset/document.ts';
import { isWithinAllowance, textAllowance, withinAllowance } from '../../src/search/result.ts';
import { flaggedQuotes, flaggedReviews, trustMarks } from '../../src/search/trust.ts';
import type { McpError } from './message.ts';

/** The members of a result as JSON, at least one, without the braces around them. */
export class EncodedResult {
  readonly members: string;

  constructor(members: string) {
    this.members = members;
  }
}

export type Result = EncodedResult | Record<string, unknown>;

/** Encodes a result once that every request shares. */
export function sharedResult(result: object): EncodedResult {
  return new EncodedResult(membersOf(result));
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
  return Buffer.from(`${open}{${added}${result.members}}}`);
}

/** Encodes a JSON-RPC error; `id` is null if the request had none that could be read. */
export function encodeError(id: RequestId | null, { code, message, data }: McpError): Buffer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}

function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/** The answer of a tool. */
export interface ToolContent {
  /** An object with at least one member. */
  json: string;
  /** The ids of reviews in it that address a machine; undefined if it has no words of reviews. */
  flagged?: readonly string[];
}

/** Returns an answer without words of reviews. */
export function jsonAnswer(answer: object): ToolContent {
  return { json: JSON.stringify(answer) };
}

/** Returns an answer with words of reviews. */
export function quotingAnswer(answer: object): ToolContent {
  return { json: JSON.stringify(answer), flagged: flaggedQuotes(answer) };
}

/**
 * Returns an answer that ends with reviews, whose texts are within the allowance.
 *
 * @param answer its other members, at least one
 * @param member name of the array of reviews
 */
export function reviewsAnswer(
  answer: object,
  member: string,
  lines: ReviewLines,
  positions: readonly number[],
): ToolContent {
  const allowance = textAllowance(lines, positions);
  const reviews = positions.map((position) =>
    isWithinAllowance(lines, position, allowance)
      ? reviewJson(lines, position)
      : JSON.stringify(withinAllowance(readReview(lines, position), allowance)),
  );
  const flagged = [...flaggedReviews(lines, positions), ...flaggedQuotes(answer)];
  const head = JSON.stringify(answer).slice(0, -1);
  return { json: `${head},"${member}":[${reviews.join(',')}]}`, flagged };
}

/**
 * Encodes an answer as text and as structuredContent for clients that know it (MCP 2025-06-18,
 * server/tools, structured content). Both are the same JSON; it begins with its day and, if it quotes
 * people, says so.
 *
 * @param asOf day of the newest change of the data
 */
export function encodeAnswer({ json, flagged }: ToolContent, asOf: string): EncodedResult {
  const marks = membersOf({ as_of: asOf, ...(flagged && trustMarks(flagged)) });
  const marked = `{${marks},${json.slice(1)}`;
  return new EncodedResult(
    `"content":[{"type":"text","text":${JSON.stringify(marked)}}],"structuredContent":${marked}`,
  );
}
