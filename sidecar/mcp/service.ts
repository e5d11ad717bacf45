import type {
  Implementation,
  Request,
  ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { INVALID_PARAMS, McpFault } from './fault.ts';
import type { Result } from './result.ts';

/** Answers one method. */
export type Method = (request: Request) => Result | Promise<Result>;

/** What an endpoint serves. Every capability that is stated has its methods. */
export interface McpService {
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions: string;
  methods: ReadonlyMap<string, Method>;
}

/** A method whose requests are checked by the protocol's own schema first. */
export function defineMethod<T extends Request>(
  schema: z.ZodType<T>,
  answer: (request: T) => Result | Promise<Result>,
): Method {
  return (request) => {
    const parsed = schema.safeParse(request);
    if (parsed.success) return answer(parsed.data);
    const path = parsed.error.issues[0]!.path.join('.');
    throw new McpFault(
      INVALID_PARAMS,
      `Invalid params: ${path || 'the request'} is not as MCP has it`,
    );
  };
}
