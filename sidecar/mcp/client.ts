import { z } from 'zod';
import { MCP_APP_TYPE, MCP_APPS } from '../../src/schema/mcp-app.ts';

/** The abilities of a client that change what it is answered. */
export interface Client {
  showsApps: boolean;
}

/** A client that declared nothing. */
export const PLAIN_CLIENT: Client = { showsApps: false };

const capabilities = z.object({
  extensions: z.object({ [MCP_APPS]: z.object({ mimeTypes: z.array(z.string()) }) }),
});

/** Reads the capabilities that a client declares, of any revision. */
export function clientOf(declared: unknown): Client {
  const { data } = capabilities.safeParse(declared);
  return { showsApps: data?.extensions[MCP_APPS]?.mimeTypes.includes(MCP_APP_TYPE) === true };
}
