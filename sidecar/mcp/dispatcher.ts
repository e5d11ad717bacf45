import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  InitializeRequestSchema,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { INTERNAL_ERROR, McpFault, METHOD_NOT_FOUND } from './fault.ts';
import type { Result } from './result.ts';
import { defineMethod, type McpService, type Method } from './service.ts';
import { negotiateVersion } from './versions.ts';

export type Outcome = { result: Result } | { error: JSONRPCErrorResponse['error'] };

/** Answers one request; never rejects. */
export type Dispatch = (request: JSONRPCRequest) => Promise<Outcome>;

/**
 * One `Server` of the SDK for the whole process. Its transport is a table of who waits: each
 * request gets a number of ours, so that clients who chose the same id do not meet.
 *
 * @param request of a shape that the SDK's own schema passed, or it would never be answered
 * @param report is told of what a method threw; the client is not
 */
export async function createDispatcher(
  service: McpService,
  report: (method: string, error: unknown) => void,
): Promise<Dispatch> {
  const { serverInfo, capabilities, instructions } = service;
  const initialize = defineMethod(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: negotiateVersion(params.protocolVersion),
    capabilities,
    serverInfo,
    instructions,
  }));
  const methods = new Map<string, Method>([...service.methods, ['initialize', initialize]]);

  const server = new Server(serverInfo, { capabilities, instructions });
  Object.assign(server, { onerror: (error: Error) => report('', error) });
  // The SDK's own answers the versions that the SDK knows, not those that are served here.
  server.removeRequestHandler('initialize');
  // Not setRequestHandler: it would copy every tool result to check it, and what it says of bad
  // params is an internal error with the schema's inner text.
  server.fallbackRequestHandler = async (request) => {
    const method = methods.get(request.method);
    if (!method) throw new McpFault(METHOD_NOT_FOUND, 'Method not found');
    try {
      return (await method(request)) as Record<string, unknown>;
    } catch (error) {
      if (error instanceof McpFault) throw error;
      report(request.method, error);
      throw new McpFault(INTERNAL_ERROR, 'Internal error');
    }
  };

  const waiting = new Map<number, (outcome: Outcome) => void>();
  let next = 0;
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message: JSONRPCMessage) {
      if (!('result' in message || 'error' in message)) return;
      const number = message.id as number;
      waiting.get(number)!(message);
      waiting.delete(number);
    },
  };
  await server.connect(transport);

  return ({ method, params = {} }) =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      // A receiver without tasks answers as if none was asked for (MCP 2025-11-25, tasks).
      const { task: _, ...rest } = params;
      transport.onmessage!({ jsonrpc: '2.0', id, method, params: rest });
    });
}
