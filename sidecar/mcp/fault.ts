/** JSON-RPC 2.0, section 5.1, and the codes that MCP adds. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Of the transport: host, origin, method, media types, size, rate. */
export const REFUSED = -32000;
export const SESSION_NOT_FOUND = -32001;
export const RESOURCE_NOT_FOUND = -32002;
/** MCP 2026-07-28: a header says something else than the message. */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

/** What is wrong with a request, as its JSON-RPC error says it. */
export class McpFault extends Error {
  override readonly name = 'McpFault';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What ends a request before any method is asked: it has an HTTP status of its own. */
export class RequestFault extends McpFault {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: number,
    message: string,
    more: { data?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(code, message, more.data);
    this.status = status;
    this.headers = more.headers ?? {};
  }
}
