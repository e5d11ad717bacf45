import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { MCP_SESSION_VERSIONS, MCP_STATELESS_VERSION } from '../../src/schema/mcp-catalog.ts';
import {
  DISCOVER,
  HEADER_MISMATCH,
  metaOf,
  VERSION_KEY,
  mcpHeader,
  INVALID_PARAMS,
  isObject,
  McpError,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_VERSION,
} from './message.ts';

// Revision 2026-07-28 has no handshake and no sessions. A request carries its version and the
// client's capabilities in _meta, and repeats in headers what a proxy needs to know.

export const SUPPORTED_VERSIONS: readonly string[] = [
  MCP_STATELESS_VERSION,
  ...MCP_SESSION_VERSIONS,
];

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** The parameter that Mcp-Name repeats. */
const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Methods whose results state how long they may be cached. They change with the edition at most. */
const CACHEABLE = new Set([
  DISCOVER,
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
const TTL_MS = 300_000;

/** @throws {McpError} if the revision does not allow the request */
export function checkStateless(headers: Headers, request: JSONRPCRequest): void {
  const { method, params } = request;
  const meta = metaOf(request);
  const requested = meta[VERSION_KEY];
  const header = mcpHeader(headers, 'mcp-protocol-version');
  if (header === null || (requested !== undefined && header !== requested)) {
    throw mismatch('MCP-Protocol-Version must equal the protocolVersion in _meta');
  }
  if (typeof requested !== 'string' || !isObject(meta[CAPABILITIES_KEY])) {
    const needed = `_meta needs ${VERSION_KEY} and ${CAPABILITIES_KEY}`;
    throw new McpError(INVALID_PARAMS, `Invalid params: ${needed}`, { status: 400 });
  }
  if (requested !== MCP_STATELESS_VERSION)
    throw unsupportedVersion(requested, [MCP_STATELESS_VERSION]);
  if (headers.get('mcp-method') !== method) throw mismatch('Mcp-Method must equal the method');
  const key = NAMED[method];
  if (key !== undefined) {
    const name = headers.get('mcp-name');
    if (name === null || decodeHeader(name) !== params?.[key]) {
      throw mismatch(`Mcp-Name must equal params.${key}`);
    }
  }
}

/**
 * Returns the error for an unsupported version.
 *
 * @param supported versions that the same request could have named
 */
export function unsupportedVersion(requested: string, supported = SUPPORTED_VERSIONS): McpError {
  const data = { supported, requested };
  return new McpError(UNSUPPORTED_VERSION, 'Unsupported protocol version', { status: 400, data });
}

/** Returns the members that this revision adds to a result. */
export function resultMeta(method: string, serverInfo: object): object {
  return {
    resultType: 'complete',
    ...(CACHEABLE.has(method) && { ttlMs: TTL_MS, cacheScope: 'public' }),
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  };
}

/** Returns a method's error with the status and code that it has in this revision. */
export function statelessError(error: McpError): McpError {
  const { code, message, data } = error;
  if (code === RESOURCE_NOT_FOUND) return new McpError(INVALID_PARAMS, message, { data });
  if (code === METHOD_NOT_FOUND) return new McpError(code, message, { status: 404, data });
  return error;
}

function mismatch(message: string): McpError {
  return new McpError(HEADER_MISMATCH, `Header mismatch: ${message}`, { status: 400 });
}

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Decodes a name that was sent as Base64 because a header cannot carry it. */
function decodeHeader(value: string): string {
  const encoded = ENCODED.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
