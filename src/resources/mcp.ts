import { z } from 'zod';
import { JSON_TYPE, MCP_PATH } from '../paths.ts';
import { abridge, layOut, shorten } from './examples.ts';
import { empty, errors, HTML_TYPE, jsonBody } from './openapi/answers.ts';
import type { Example, Operation } from './operation.ts';
import type { Source } from './source.ts';

const id = z.union([z.string(), z.int()]);

/** A JSON-RPC 2.0 message of MCP (contract, section 4.8). */
const jsonRpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.optional(),
    method: z.string().describe('initialize, tools/list, tools/call, …'),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ title: 'JSON-RPC request' });

const jsonRpcResponse = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional()
      .describe('In place of result when the request failed.'),
  })
  .meta({ title: 'JSON-RPC response' });

const FAILURES = errors({ [JSON_TYPE]: 'JsonRpcResponse' }, 'JsonRpc');

const NOT_ALLOWED = {
  description:
    'Sent for any other method, and a DELETE without a session; there is no stream to GET. A page for browsers.',
  content: { [JSON_TYPE]: 'JsonRpcResponse', [HTML_TYPE]: null },
  headers: ['Allow'],
} as const;

/** The requests of MCP, one path with two methods. */
export const MCP_OPERATIONS: readonly Operation[] = [
  {
    id: 'callMcp',
    method: 'post',
    path: MCP_PATH,
    tag: 'MCP',
    title: 'Tools for assistants (MCP)',
    description:
      'The Model Context Protocol over streamable HTTP: JSON-RPC 2.0, read-only tools. Send Accept: application/json, text/event-stream. The response to initialize has Mcp-Session-Id; send it with every later request. /mcp/ works too.',
    headers: ['Mcp-Session-Id', 'Mcp-Protocol-Version'],
    parts: { JsonRpcRequest: jsonRpcRequest, JsonRpcResponse: jsonRpcResponse },
    body: { [JSON_TYPE]: 'JsonRpcRequest' },
    examples: mcpExamples,
    answers: {
      200: {
        description: 'The result, or a JSON-RPC error; one event if Accept names no other type.',
        content: { [JSON_TYPE]: 'JsonRpcResponse', 'text/event-stream': null },
        headers: ['Mcp-Session-Id'],
      },
      202: empty('A notification was accepted; empty.'),
      400: jsonBody('JsonRpcResponse', 'The request is not JSON-RPC, or its headers are wrong.'),
      403: jsonBody('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: jsonBody('JsonRpcResponse', 'The session is unknown or has ended: initialize again.'),
      405: NOT_ALLOWED,
      413: jsonBody('JsonRpcResponse', 'The body is over 64 KiB.'),
      415: jsonBody('JsonRpcResponse', 'The type or the encoding of the body is not supported.'),
      429: FAILURES[429],
      500: FAILURES[500],
      503: FAILURES[503],
    },
  },
  {
    id: 'endMcpSession',
    method: 'delete',
    path: MCP_PATH,
    tag: 'MCP',
    title: 'End a session (MCP)',
    description: 'Ends the session that Mcp-Session-Id names. A session also ends after a day.',
    headers: ['Mcp-Session-Id'],
    answers: {
      204: empty('The session has ended; empty.'),
      403: jsonBody('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: jsonBody('JsonRpcResponse', 'The session is unknown or has ended.'),
      405: NOT_ALLOWED,
      429: FAILURES[429],
    },
  },
];

/** Returns a session of MCP: the calls, and the answer to the last one. */
function mcpExamples({ baseUrl, dataset }: Source): Example[] {
  const { business, aggregate_rating, coverage, license } = dataset;
  const as_of = dataset.updated_at.slice(0, 10);
  const result = { as_of, business, aggregate_rating, coverage, terms: license.terms };
  const call = (id: number, method: string, params: object, says: string): Example => {
    const request = { jsonrpc: '2.0', id, method, params };
    const command = [
      `curl -s '${baseUrl}${MCP_PATH}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H 'Accept: application/json, text/event-stream' \\`,
      `  -d '${JSON.stringify(request)}'`,
    ].join('\n');
    return { says, command, request };
  };
  const client = { name: 'curl', version: '1.0' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
  const start = call(1, 'initialize', hello, 'Start a session; the response has Mcp-Session-Id');
  const body = {
    jsonrpc: '2.0',
    id: 3,
    result: {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
    },
  };
  return [
    { ...start, command: start.command.replace('curl -s ', 'curl -si ') },
    call(2, 'tools/list', {}, 'The tools and their arguments'),
    {
      ...call(3, 'tools/call', { name: 'get_business', arguments: {} }, 'Call a tool'),
      answer: layOut(abridge(body)),
      response: { status: 200, body: shorten(body) },
    },
  ];
}
