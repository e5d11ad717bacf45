import { MCP_PATH } from '../paths.ts';
import { SERVICE_VERSION } from '../schema/service.ts';

/** The registry's own limits (its server.schema.json, 2025-12-11). */
const TITLE_MAX = 100;
const DESCRIPTION_MAX = 100;

/**
 * `server.json`, by which the registry of MCP servers and its mirrors list a remote server. The
 * name begins with the host read backwards, which is what its owner can prove to the registry.
 */
export function mcpServer(business: string, baseUrl: string): Record<string, unknown> {
  const { hostname } = new URL(baseUrl);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${reversed(hostname)}/reviews`,
    title: cut(`Reviews of ${business}`, TITLE_MAX),
    description: cut(
      `Verified customer reviews of ${business}, searchable, with insights.`,
      DESCRIPTION_MAX,
    ),
    version: SERVICE_VERSION,
    websiteUrl: `${baseUrl}/`,
    remotes: [{ type: 'streamable-http', url: `${baseUrl}${MCP_PATH}` }],
  };
}

/** Letters, digits, dots and hyphens only: brackets and colons of an IPv6 address have no place. */
function reversed(hostname: string): string {
  return hostname
    .replace(/[^a-z0-9.-]/g, '-')
    .split('.')
    .toReversed()
    .join('.');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
