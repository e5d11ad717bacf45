import { HTTPError } from 'h3';
import {
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { JSON_TYPE } from '../../src/paths.ts';
import { MCP_STATELESS_VERSION } from '../../src/schema/mcp-catalog.ts';
import type { HeaderPairs } from '../../src/http.ts';
import { acceptsType, respondSized } from '../http/responses.ts';
import { readBody } from '../base/bodies.ts';

/** Error codes of JSON-RPC 2.0 (section 5.1), and those that MCP adds. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Rejected by the transport: host, origin, method, media types, size or rate. */
const REFUSED = -32000;
export const SESSION_NOT_FOUND = -32001;
export const RESOURCE_NOT_FOUND = -32002;
/** A header contradicts the message (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

export type Result = Record<string, unknown>;

/** The member of _meta by which a request of revision 2026-07-28 names it. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** The method that only that revision has. */
export const DISCOVER = 'server/discover';

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

/** Returns the error of a request that the transport rejects. */
export function refused(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): McpError {
  return new McpError(REFUSED, message, { status, headers });
}

/** JSON that is sent as it is, as the last member of an object. */
export class Json {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns an object as JSON. */
export function encode(value: object): string {
  const [name = '', last] = Object.entries(value).at(-1) ?? [];
  if (!(last instanceof Json)) return JSON.stringify(value);
  const open = JSON.stringify({ ...value, [name]: 0 });
  return `${open.slice(0, -2)}${last.text}}`;
}

export function encodeResult(id: RequestId, result: Result): Buffer {
  return Buffer.from(encode({ jsonrpc: '2.0', id, result: new Json(encode(result)) }));
}

/** Encodes a JSON-RPC error in response to a body, from which it takes the id. */
export function encodeError(body: unknown, { code, message, data }: McpError): Buffer {
  const given = isObject(body) ? body.id : null;
  // Above 2^53 the parsed id is another one than was sent.
  const id = typeof given === 'string' || Number.isSafeInteger(given) ? given : null;
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
}

/** Largest body: the longest search fits in it however it is escaped, and so does an icon in clientInfo. */
const MAX_BODY_BYTES = 64 * 1024;

const EVENT_STREAM = 'text/event-stream';

/**
 * Responds with a message as JSON, which needs no stream. A client that takes only events gets it as one
 * (MCP 2025-06-18, basic/transports, sending messages to the server).
 */
export function respondMessage(
  accept: string | null,
  status: number,
  message: Buffer,
  headers: HeaderPairs,
): Response {
  const isEvent = status === 200 && takesOnlyEvents(accept ?? '');
  const body = isEvent ? Buffer.from(`event: message\ndata: ${message}\n\n`) : message;
  const type = isEvent ? EVENT_STREAM : JSON_TYPE;
  return respondSized(status, [['content-type', type], ...headers], body);
}

function takesOnlyEvents(accept: string): boolean {
  return accept.includes(EVENT_STREAM) && !acceptsType(accept, JSON_TYPE);
}

/** JSON, also as clients of JSON-RPC call it and as proxies repeat it. */
const JSON_TYPES = /^application\/(?:json|json-rpc|jsonrequest|[\w.-]+\+json)\s*(?:[;,]|$)/i;

/** Checks the media type of a request. @throws {McpError} 415 */
export function checkContentType(headers: Headers): void {
  if (!JSON_TYPES.test(headers.get('content-type') ?? '')) {
    throw refused(415, `Content-Type must be ${JSON_TYPE}`);
  }
}

/**
 * Reads the body of a request as JSON, without members that are null or an empty list, which clients send for
 * what they leave out.
 *
 * @throws {McpError} 413, 415, or 400 if it is incomplete or not JSON
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readBody(request, MAX_BODY_BYTES).catch((error: unknown) => {
    if (HTTPError.isError(error) && error.status === 415) throw refused(415, error.message);
    throw parseError('incomplete');
  });
  if (text === undefined) {
    throw refused(413, `The body is too large: at most ${MAX_BODY_BYTES / 1024} KiB`);
  }
  try {
    const json = text.replace(/^\uFEFF/, '');
    return MAYBE_EMPTY.test(json) ? JSON.parse(json, withoutEmpty) : JSON.parse(json);
  } catch {
    throw parseError('not JSON');
  }
}

const MAYBE_EMPTY = /null|\[\s*\]/;

/** An id of null stays: no message has it. */
function withoutEmpty(key: string, value: unknown): unknown {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty && key !== 'id' ? undefined : value;
}

function parseError(reason: string): McpError {
  return new McpError(PARSE_ERROR, `Parse error: the body is ${reason}`, { status: 400 });
}

/**
 * Parses one message of JSON-RPC 2.0.
 *
 * @returns the request; undefined for a notification or a response, which get no response
 * @throws {McpError} -32600, also for a batch, which no supported revision has
 */
export function parseMessage(body: unknown): JSONRPCRequest | undefined {
  if (Array.isArray(body)) throw invalid('send one message at a time');
  const { data: message } = JSONRPCMessageSchema.safeParse(body);
  if (!message) throw invalid('not a message of JSON-RPC 2.0');
  return 'method' in message && 'id' in message ? message : undefined;
}

function invalid(reason: string): McpError {
  return new McpError(INVALID_REQUEST, `Invalid Request: ${reason}`, { status: 400 });
}

/** Returns a header of MCP; null where a proxy left it empty. Some proxies send it twice. */
export function mcpHeader(headers: Headers, name: string): string | null {
  return headers.get(name)?.split(',', 1)[0]!.trim() || null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Tells whether a message is meant for revision 2026-07-28, well-formed or not. `initialize` opens a session
 * whatever the header says, unless its _meta names a version (MCP 2026-07-28, basic/versioning).
 */
export function isStateless(headers: Headers, body: unknown): boolean {
  if (isObject(body)) {
    if (body.method === DISCOVER || metaOf(body)[VERSION_KEY] !== undefined) return true;
    if (body.method === 'initialize') return false;
  }
  return mcpHeader(headers, 'mcp-protocol-version') === MCP_STATELESS_VERSION;
}

export function metaOf(body: object): Record<string, unknown> {
  const { params } = body as { params?: unknown };
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta : {};
}
