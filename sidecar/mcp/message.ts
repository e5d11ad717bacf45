import {
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { JSON_TYPE } from '../../src/paths.ts';
import { readBody } from '../http/request.ts';

/** Error codes of JSON-RPC 2.0 (section 5.1), and those that MCP adds. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Rejected by the transport: host, origin, method, media types, size or rate. */
export const REFUSED = -32000;
export const SESSION_NOT_FOUND = -32001;
export const RESOURCE_NOT_FOUND = -32002;
/** A header contradicts the message (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

interface McpErrorOptions {
  /** HTTP status; 200 unless the transport rejects the request. */
  status?: number;
  data?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** A JSON-RPC error for the client. The SDK's class of this name puts its code into the message. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: number;
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, options: McpErrorOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 200;
    this.data = options.data;
    this.headers = options.headers ?? {};
  }
}

/** Largest body: the longest search fits in it however it is escaped, and so does an icon in clientInfo. */
const MAX_BODY_BYTES = 64 * 1024;

const EVENT_STREAM = 'text/event-stream';

/**
 * Checks the media types of a request. A client must accept both forms of response although only
 * one is used (contract, section 4.8).
 *
 * @throws {McpError} 406, 415
 */
export function checkMediaTypes(headers: Headers): void {
  const accept = headers.get('accept') ?? '';
  if (!accepts(accept, JSON_TYPE) || !accepts(accept, EVENT_STREAM)) {
    const message = `Accept must list ${JSON_TYPE} and ${EVENT_STREAM}`;
    throw new McpError(REFUSED, message, { status: 406 });
  }
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== JSON_TYPE) {
    throw new McpError(REFUSED, `Content-Type must be ${JSON_TYPE}`, { status: 415 });
  }
}

function accepts(header: string, type: string): boolean {
  const [group] = type.split('/', 1);
  return header.split(',').some((range) => {
    const name = range.split(';', 1)[0]!.trim().toLowerCase();
    return name === type || name === '*/*' || name === `${group}/*`;
  });
}

/**
 * Reads the body of a request as JSON.
 *
 * @throws {McpError} 413, or 400 if it is incomplete or no JSON
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await textOf(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new McpError(PARSE_ERROR, 'Parse error: the body is not JSON', { status: 400 });
  }
}

async function textOf(request: Request): Promise<string> {
  let body: string | undefined;
  try {
    body = await readBody(request, MAX_BODY_BYTES);
  } catch {
    throw new McpError(PARSE_ERROR, 'Parse error: the body is incomplete', { status: 400 });
  }
  if (body !== undefined) return body;
  const message = `The body is too large: at most ${MAX_BODY_BYTES / 1024} KiB`;
  throw new McpError(REFUSED, message, { status: 413 });
}

const WITHOUT_RESPONSE = [
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  JSONRPCErrorResponseSchema,
];

/**
 * Parses one message of JSON-RPC 2.0.
 *
 * @returns the request; undefined for a notification or a response, which get no response
 * @throws {McpError} -32600, also for a batch, which no supported revision has
 */
export function parseMessage(body: unknown): JSONRPCRequest | undefined {
  if (Array.isArray(body)) throw invalid('send one message at a time');
  if (!isObject(body)) throw invalid('not a message of JSON-RPC 2.0');
  if ('method' in body && 'id' in body) {
    const { data } = JSONRPCRequestSchema.safeParse(body);
    if (data) return data;
  } else if (WITHOUT_RESPONSE.some((schema) => schema.safeParse(body).success)) {
    return undefined;
  }
  throw invalid('not a message of JSON-RPC 2.0');
}

function invalid(reason: string): McpError {
  return new McpError(INVALID_REQUEST, `Invalid Request: ${reason}`, { status: 400 });
}

/** Returns the id to echo in an error response. */
export function idOf(body: unknown): RequestId | null {
  if (!isObject(body)) return null;
  return typeof body.id === 'string' || Number.isInteger(body.id) ? (body.id as RequestId) : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
