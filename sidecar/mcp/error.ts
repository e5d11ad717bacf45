/** Error codes of JSON-RPC 2.0 (section 5.1), and those that MCP adds. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
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
