import {
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { INVALID_REQUEST, PARSE_ERROR, REFUSED, RequestFault } from './fault.ts';

/** Bytes of a body; the largest search is a thousandth of it. */
export const MAX_BODY_BYTES = 256 * 1024;

/** @throws {RequestFault} 413, or 400 when the client left in the middle */
export async function readBody(request: Request): Promise<string> {
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > MAX_BODY_BYTES) throw tooLarge();
  try {
    return length === null ? await readStream(request.body) : await request.text();
  } catch (error) {
    if (error instanceof RequestFault) throw error;
    throw new RequestFault(400, PARSE_ERROR, 'Parse error: the body did not arrive whole');
  }
}

/** The stream is left as it is when it is too long: to cancel it would cut off the answer. */
async function readStream(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString();
    size += value.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(value);
  }
}

function tooLarge(): RequestFault {
  const message = `The body is too large: at most ${MAX_BODY_BYTES / 1024} KiB`;
  return new RequestFault(413, REFUSED, message, { headers: { connection: 'close' } });
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
