import type { McpIdentity } from '../dataset/mcp-identity.ts';
import { MCP_PATH } from '../paths.ts';

/** Returns `server.json`, with which the MCP registry and its mirrors list a remote server. */
export function mcpServer(identity: McpIdentity, baseUrl: string): Record<string, unknown> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identity,
    remotes: [{ type: 'streamable-http', url: `${baseUrl}${MCP_PATH}` }],
  };
}
