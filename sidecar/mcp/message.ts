import {
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { readText } from '../http/read-text.ts';
import { INVALID_REQUEST, PARSE_ERROR, REFUSED, RequestFault } from './fault.ts';

/** Bytes of a body: room for the longest search, however it is escaped. */
export const MAX_BODY_BYTES = 16 * 1024;

/** @throws {RequestFault} 413, or 400 when the client left in the middle */
export async function readBody(request: Request): Promise<string> {
  let body: string | undefined;
  try {
    body = await readText(request, MAX_BODY_BYTES);
  } catch {
    throw new RequestFault(400, PARSE_ERROR, 'Parse error: the body did not arrive whole');
  }
  if (body !== undefined) return body;
  const message = `The body is too large: at most ${MAX_BODY_BYTES / 1024} KiB`;
  throw new RequestFault(413, REFUSED, message);
}

/** @throws {RequestFault} -32700 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestFault(400, PARSE_ERROR, 'Parse error: the body is not JSON');
  }
}

/**
 * One message of JSON-RPC 2.0 as MCP has it.
 *
 * @returns the request; undefined for a notification or a response, which need no answer
 * @throws {RequestFault} -32600; also for a batch, which no revision after 2025-03-26 knows
 */
export function parseMessage(body: unknown): JSONRPCRequest | undefined {
  if (Array.isArray(body)) {
    throw new RequestFault(400, INVALID_REQUEST, 'Invalid Request: send one message at a time');
  }
  if (isObject(body)) {
    if ('method' in body && 'id' in body) {
      const { data } = JSONRPCRequestSchema.safeParse(body);
      if (data) return data;
    } else if (NEEDS_NO_ANSWER.some((schema) => schema.safeParse(body).success)) {
      return undefined;
    }
  }
  throw new RequestFault(400, INVALID_REQUEST, 'Invalid Request: not a message of JSON-RPC 2.0');
}

const NEEDS_NO_ANSWER = [
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  JSONRPCErrorResponseSchema,
];

/** The id that a fault of this body is answered with. */
export function idOf(body: unknown): RequestId | null {
  if (!isObject(body)) return null;
  return typeof body.id === 'string' || Number.isInteger(body.id) ? (body.id as RequestId) : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
