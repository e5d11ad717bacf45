import { mcpIdentity } from '../dataset/mcp-identity.ts';
import { MCP_APP_PATH, MCP_PATH } from '../paths.ts';
import { MCP_SESSION_VERSIONS, MCP_STATELESS_VERSION } from '../schema/mcp-catalog.ts';
import { documentResource, indentedJson } from './resource.ts';

const CARD_PATH = '/.well-known/mcp/server-card.json';
const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas';
const CARD_TYPE = 'application/mcp-server-card+json';

export const MCP_SERVER = documentResource({
  id: 'getMcpServer',
  path: '/server.json',
  tag: 'MCP',
  title: 'The MCP server, for registries',
  description: 'The format of the MCP registry, server.json of 2025-12-11.',
  build: ({ baseUrl, dataset }) =>
    indentedJson({
      $schema: `${SCHEMAS}/2025-12-11/server.schema.json`,
      ...mcpIdentity(dataset.business, baseUrl),
      remotes: [remote(baseUrl)],
    }),
  example: 'In full',
});

/** Written by `src/pages/[card].json.ts`, which renders a component. */
export const MCP_APP = documentResource({
  id: 'getMcpApp',
  path: MCP_APP_PATH,
  tag: 'MCP',
  title: 'The card of the MCP server',
  description:
    'The resource that assistants show with get_summary: one HTML document that loads nothing (MCP Apps 2026-01-26).',
  answer: 'The resource, as resources/read returns it.',
});

export const SERVER_CARD = documentResource({
  id: 'getServerCard',
  path: CARD_PATH,
  type: CARD_TYPE,
  tag: 'MCP',
  title: 'The MCP server, for clients',
  description: 'The server card: name, description and address of the endpoint.',
  build: ({ baseUrl, dataset }) =>
    indentedJson({
      $schema: `${SCHEMAS}/v1/server-card.schema.json`,
      ...mcpIdentity(dataset.business, baseUrl),
      remotes: [
        {
          ...remote(baseUrl),
          supportedProtocolVersions: [MCP_STATELESS_VERSION, ...MCP_SESSION_VERSIONS],
        },
      ],
    }),
});

function remote(baseUrl: string) {
  return { type: 'streamable-http', url: `${baseUrl}${MCP_PATH}` };
}
