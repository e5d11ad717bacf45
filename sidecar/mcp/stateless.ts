import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RequestFault,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_VERSION,
} from './fault.ts';
import { isObject } from './message.ts';
import type { Additions } from './reply.ts';
import type { McpService } from './service.ts';
import { STATELESS_VERSION, SUPPORTED_VERSIONS } from './versions.ts';

// Revision 2026-07-28: no handshake and no session. A request carries its version and the client's
// capabilities in _meta, and repeats in headers what a proxy needs to know of it.

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

export const DISCOVER = 'server/discover';

/** Of revisions with sessions only. */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** The param that Mcp-Name repeats. */
const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Results that say how long they may be kept. They change with the edition at most. */
const CACHEABLE = new Set([
  DISCOVER,
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const TTL_MS = 300_000;

/** Whether a message is of this revision, rightly formed or not. */
export function isStateless(headers: Headers, body: unknown): boolean {
  if (headers.get('mcp-protocol-version') === STATELESS_VERSION) return true;
  if (!isObject(body)) return false;
  return body.method === DISCOVER || metaOf(body)[VERSION_KEY] !== undefined;
}

/** @throws {RequestFault} for what the revision does not allow */
export function checkStateless(headers: Headers, request: JSONRPCRequest): void {
  const { method, params } = request;
  const meta = metaOf(request);
  const asked = meta[VERSION_KEY];
  const header = headers.get('mcp-protocol-version');
  if (header === null || (asked !== undefined && header !== asked)) {
    throw mismatch('MCP-Protocol-Version must equal the protocolVersion in _meta');
  }
  if (typeof asked !== 'string' || !isObject(meta[CAPABILITIES_KEY])) {
    const needed = `_meta needs ${VERSION_KEY} and ${CAPABILITIES_KEY}`;
    throw new RequestFault(400, INVALID_PARAMS, `Invalid params: ${needed}`);
  }
  if (asked !== STATELESS_VERSION) throw unsupportedVersion(asked);
  if (headers.get('mcp-method') !== method) throw mismatch('Mcp-Method must equal the method');
  const key = NAMED[method];
  if (key !== undefined) {
    const name = headers.get('mcp-name');
    if (name === null || decodeHeader(name) !== params?.[key]) {
      throw mismatch(`Mcp-Name must equal params.${key}`);
    }
  }
  if (REMOVED.has(method)) throw new RequestFault(404, METHOD_NOT_FOUND, 'Method not found');
}

/** A version that is not spoken, with those that are. */
export function unsupportedVersion(requested: string): RequestFault {
  const data = { supported: SUPPORTED_VERSIONS, requested };
  return new RequestFault(400, UNSUPPORTED_VERSION, 'Unsupported protocol version', { data });
}

/** The result of `server/discover`. */
export function discovery({ capabilities, instructions }: McpService): Record<string, unknown> {
  return { supportedVersions: SUPPORTED_VERSIONS, capabilities, instructions };
}

/** What every result has besides its own members. */
export function additions(method: string, { serverInfo }: McpService): Additions {
  return {
    resultType: 'complete',
    ...(CACHEABLE.has(method) && { ttlMs: TTL_MS, cacheScope: 'public' }),
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  };
}

/** The status and code of an error in this revision. */
export function statelessError(code: number): { status: number; code: number } {
  if (code === RESOURCE_NOT_FOUND) return { status: 200, code: INVALID_PARAMS };
  return { status: code === METHOD_NOT_FOUND ? 404 : 200, code };
}

function metaOf(body: object): Record<string, unknown> {
  const { params } = body as { params?: unknown };
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta : {};
}

function mismatch(message: string): RequestFault {
  return new RequestFault(400, HEADER_MISMATCH, `Header mismatch: ${message}`);
}

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Names that a header cannot carry are sent as Base64. */
function decodeHeader(value: string): string {
  const encoded = ENCODED.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
