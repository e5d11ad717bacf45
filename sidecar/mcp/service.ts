import {
  InitializeRequestSchema,
  PingRequestSchema,
  type Implementation,
  type JSONRPCRequest,
  type Request,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { type Client, negotiateVersion } from './session.ts';
import type { Result } from './encode.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, McpError, METHOD_NOT_FOUND } from './message.ts';

export type Method = (request: Request, client: Client) => Result | Promise<Result>;

/** The part of an answer to initialize that names the server. */
export interface Introduction {
  serverInfo: Implementation;
  instructions: string;
}

/** The content of an endpoint. Each capability has its methods; none sends anything unasked. */
export interface McpService {
  introduce: () => Introduction;
  capabilities: ServerCapabilities;
  methods: ReadonlyMap<string, Method>;
}

/** Returns the result of a request, or rejects with an McpError. */
type Dispatch = (request: JSONRPCRequest, client: Client) => Promise<Result>;

/** Defines a method that validates its requests by a schema of the protocol. */
export function defineMethod<T extends Request>(
  schema: z.ZodType<T>,
  answer: (request: T, client: Client) => Result | Promise<Result>,
): Method {
  return (request, client) => {
    const parsed = schema.safeParse(request);
    if (parsed.success) return answer(parsed.data, client);
    const path = parsed.error.issues[0]!.path.join('.');
    throw new McpError(INVALID_PARAMS, `Invalid params: ${path || 'the request'} is invalid`);
  };
}

/**
 * Calls the methods of a service, and those that every service has.
 *
 * @param report receives unexpected errors, which are not shown to the client
 */
export function createDispatch(
  { methods, introduce, capabilities }: McpService,
  report: (method: string, error: unknown) => void,
): Dispatch {
  const initialize = defineMethod(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: negotiateVersion(params.protocolVersion),
    capabilities,
    ...introduce(),
  }));
  const all = new Map<string, Method>([
    ['initialize', initialize],
    ['ping', defineMethod(PingRequestSchema, () => ({}))],
    ...methods,
  ]);
  return async (request, client) => {
    const method = all.get(request.method);
    if (!method) throw new McpError(METHOD_NOT_FOUND, 'Method not found');
    try {
      return await method(request, client);
    } catch (error) {
      if (error instanceof McpError) throw error;
      report(request.method, error);
      throw new McpError(INTERNAL_ERROR, 'Internal error');
    }
  };
}
