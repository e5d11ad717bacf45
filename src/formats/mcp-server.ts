import { MCP_PATH } from '../paths.ts';
import { INTERFACE_VERSION } from '../schema/dataset.ts';

/** Limits of the registry (its server.schema.json, 2025-12-11). */
const TITLE_MAX = 100;
const DESCRIPTION_MAX = 100;

/**
 * Returns `server.json`, with which the MCP registry and its mirrors list a remote server. The name
 * begins with the reversed host name, whose ownership can be proven to the registry.
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
    version: INTERFACE_VERSION,
    websiteUrl: `${baseUrl}/`,
    remotes: [{ type: 'streamable-http', url: `${baseUrl}${MCP_PATH}` }],
  };
}

/**
 * Reverses a host name, keeping letters, digits, dots and hyphens (not brackets and colons of an
 * IPv6 address).
 */
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
