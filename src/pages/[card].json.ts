import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { dataHeaders } from '../http.ts';
import McpApp from '../layouts/McpApp.astro';
import { JSON_TYPE, MCP_APP_PATH } from '../paths.ts';
import { mcpApp } from '../schema/mcp-catalog.ts';

/** A site without a sidecar has no MCP server, and no card of it. */
export function getStaticPaths() {
  return currentPublication().sidecar ? [{ params: { card: MCP_APP_PATH.slice(1, -5) } }] : [];
}

/**
 * Renders the card that assistants show with `get_summary`, as an MCP resource: one document that loads
 * nothing. Its links are absolute, because a host gives it an address of its own.
 */
export async function GET({ locals }: APIContext): Promise<Response> {
  const container = await AstroContainer.create();
  const html = await container.renderToString(McpApp, { partial: false, locals });
  const text = html.replaceAll(' href="/', ` href="${currentPublication().baseUrl}/`);
  return new Response(`${JSON.stringify(mcpApp(text))}\n`, { headers: dataHeaders(JSON_TYPE) });
}
