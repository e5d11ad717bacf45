import { z } from 'zod';

/** The form a subscriber sends to the hub (contract, section 4.9; W3C WebSub, section 5.1). */
export const hubRequest = z
  .object({
    'hub.callback': z
      .url({ protocol: /^https$/ })
      .describe('HTTPS URL that the subscriber controls; plain HTTP is refused.'),
    'hub.mode': z.enum(['subscribe', 'unsubscribe']),
    'hub.topic': z.url().describe('One of the three topic URLs.'),
    'hub.lease_seconds': z
      .int()
      .min(1)
      .optional()
      .describe('Wanted lifetime; held within 300 and 2592000; 864000 when left out.'),
    'hub.secret': z
      .string()
      .max(199)
      .optional()
      .describe('Under 200 bytes; every notification is then signed with it.'),
  })
  .meta({ title: 'Hub request' });

const id = z.union([z.string(), z.int()]);

/** A JSON-RPC 2.0 message of MCP (contract, section 4.8). */
export const jsonRpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.optional(),
    method: z.string().describe('initialize, tools/list, tools/call, …'),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ title: 'JSON-RPC request' });

export const jsonRpcResponse = z
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
