import type { McpIdentity } from '../dataset/mcp-identity.ts';
import { MCP_PATH, SERVER_CARD_PATH, SERVER_CARD_TYPE } from '../paths.ts';
import { MCP_SESSION_VERSIONS, MCP_STATELESS_VERSION } from '../schema/mcp-catalog.ts';

const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas';

/** Returns `server.json`, with which the MCP registry and its mirrors list a remote server. */
export function mcpServer(identity: McpIdentity, baseUrl: string): Record<string, unknown> {
  return {
    $schema: `${SCHEMAS}/2025-12-11/server.schema.json`,
    ...identity,
    remotes: [remote(baseUrl)],
  };
}

/** Returns the card that a client reads before it connects (SEP-2127). */
export function serverCard(identity: McpIdentity, baseUrl: string): Record<string, unknown> {
  const supportedProtocolVersions = [MCP_STATELESS_VERSION, ...MCP_SESSION_VERSIONS];
  return {
    $schema: `${SCHEMAS}/v1/server-card.schema.json`,
    ...identity,
    remotes: [{ ...remote(baseUrl), supportedProtocolVersions }],
  };
}

/** Returns the catalog by which a client that knows only the domain finds the card (AI Catalog 1.0). */
export function aiCatalog({ title }: McpIdentity, baseUrl: string): Record<string, unknown> {
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(baseUrl).hostname}:reviews`,
        displayName: title,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}${SERVER_CARD_PATH}`,
      },
    ],
  };
}

function remote(baseUrl: string) {
  return { type: 'streamable-http', url: `${baseUrl}${MCP_PATH}` };
}
