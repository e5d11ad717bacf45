import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { readReview, type ReviewLines } from '../../src/dataset/document.ts';
import { textAllowance, withinAllowance } from '../../src/search/result.ts';
import { flaggedQuotes, trustMarks } from '../../src/search/trust.ts';
import type { McpError } from './message.ts';

export type Result = Record<string, unknown>;

/**
 * Encodes a JSON-RPC response.
 *
 * @param resultMeta members that revision 2026-07-28 adds; the result's own take precedence
 */
export function encodeResult(id: RequestId, result: Result, resultMeta?: object): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { ...resultMeta, ...result } }));
}

/** Encodes a JSON-RPC error; `id` is null if the request had none that could be read. */
export function encodeError(id: RequestId | null, { code, message, data }: McpError): Buffer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}

/** The answer of a tool. */
export interface ToolContent {
  answer: object;
  /** True if it has words of reviews. */
  quotes: boolean;
}

/** Returns an answer without words of reviews. */
export function jsonAnswer(answer: object): ToolContent {
  return { answer, quotes: false };
}

/** Returns an answer with words of reviews. */
export function quotingAnswer(answer: object): ToolContent {
  return { answer, quotes: true };
}

/**
 * Returns an answer that ends with reviews, whose texts are within the allowance.
 *
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
    withinAllowance(readReview(lines, position), allowance),
  );
  return quotingAnswer({ ...answer, [member]: reviews });
}

/**
 * Returns an answer as text and as structuredContent for clients that know it (MCP 2025-06-18,
 * server/tools, structured content). Both are the same JSON; it begins with its day and, if it quotes
 * people, says so.
 *
 * @param asOf day of the newest change of the data
 */
export function toolResult({ answer, quotes }: ToolContent, asOf: string): Result {
  const marks = quotes ? trustMarks(flaggedQuotes(answer)) : {};
  const structuredContent = { as_of: asOf, ...marks, ...answer };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return { content, structuredContent };
}
