import {
  InitializeRequestSchema,
  PingRequestSchema,
  type Implementation,
  type Request,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { negotiateVersion } from './session.ts';
import type { Result } from './encode.ts';
import { INVALID_PARAMS, McpError } from './message.ts';

/** Names of the tools that a client wants listed, from the query of its address; all if undefined. */
export type WantedTools = ReadonlySet<string> | undefined;

/** Returns the result of a request. @throws {McpError} */
export type Method = (request: Request, tools?: WantedTools) => Result;

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

/** Defines a method that validates its requests by a schema of the protocol. */
export function defineMethod<T extends Request>(
  schema: z.ZodType<T>,
  answer: (request: T, tools: WantedTools) => Result,
): Method {
  return (request, tools) => {
    const parsed = schema.safeParse(request);
    if (parsed.success) return answer(parsed.data, tools);
    const path = parsed.error.issues[0]!.path.join('.');
    throw new McpError(INVALID_PARAMS, `Invalid params: ${path || 'the request'} is invalid`);
  };
}

/** Returns the methods of a service by name, with those that every service has. */
export function methodsOf({
  methods,
  introduce,
  capabilities,
}: McpService): ReadonlyMap<string, Method> {
  const initialize = defineMethod(InitializeRequestSchema, ({ params }) => ({
    protocolVersion: negotiateVersion(params.protocolVersion),
    capabilities,
    ...introduce(),
  }));
  const ping = defineMethod(PingRequestSchema, () => ({}));
  return new Map([['initialize', initialize], ['ping', ping], ...methods]);
}
