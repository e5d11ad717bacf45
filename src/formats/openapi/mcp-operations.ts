import { JSON_TYPE, MCP_PATH } from '../../paths.ts';
import { ERRORS } from '../../schema/error.ts';
import { empty, HTML_TYPE, json } from './answers.ts';
import type { Operation } from './operation.ts';

/** The requests of MCP, one path with two methods. */
export const MCP_OPERATIONS: readonly Operation[] = [
  {
    id: 'callMcp',
    method: 'post',
    path: MCP_PATH,
    tag: 'MCP',
    summary: 'Tools for assistants (MCP)',
    description:
      'The Model Context Protocol over streamable HTTP: JSON-RPC 2.0, read-only tools. Send Accept: application/json, text/event-stream. The response to initialize has Mcp-Session-Id; send it with every later request. /mcp/ works too.',
    headers: ['Mcp-Session-Id', 'Mcp-Protocol-Version'],
    body: { [JSON_TYPE]: 'JsonRpcRequest' },
    answers: {
      200: {
        ...json('JsonRpcResponse', 'The result, or a JSON-RPC error.'),
        headers: ['Mcp-Session-Id'],
      },
      202: empty('A notification was accepted; empty.'),
      400: json('JsonRpcResponse', 'The request is not JSON-RPC, or its headers are wrong.'),
      403: json('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: json('JsonRpcResponse', 'The session is unknown or has ended: initialize again.'),
      405: {
        description: 'Sent for any other method; there is no stream to GET. A page for browsers.',
        content: { [JSON_TYPE]: 'JsonRpcResponse', [HTML_TYPE]: null },
        headers: ['Allow'],
      },
      406: json('JsonRpcResponse', 'Accept lacks one of the two media types.'),
      413: json('JsonRpcResponse', 'The body is over 16 KiB.'),
      415: json('JsonRpcResponse', 'The body is not application/json.'),
      429: {
        ...json('JsonRpcResponse', 'Too many requests from this address; see Retry-After.'),
        headers: ['Retry-After'],
      },
      500: json('JsonRpcResponse', ERRORS.internal[1]),
      503: { ...json('JsonRpcResponse', ERRORS.unavailable[1]), headers: ['Retry-After'] },
    },
  },
  {
    id: 'endMcpSession',
    method: 'delete',
    path: MCP_PATH,
    tag: 'MCP',
    summary: 'End a session (MCP)',
    description: 'Ends the session that Mcp-Session-Id names. A session also ends after a day.',
    headers: ['Mcp-Session-Id'],
    answers: {
      204: empty('The session has ended; empty.'),
      400: json('JsonRpcResponse', 'Mcp-Session-Id is missing.'),
      403: json('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: json('JsonRpcResponse', 'The session is unknown or has ended.'),
      429: {
        ...json('JsonRpcResponse', 'Too many requests from this address; see Retry-After.'),
        headers: ['Retry-After'],
      },
    },
  },
];
