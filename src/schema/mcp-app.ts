/** The extension MCP Apps (SEP-1865, 2026-01-26), by which hosts show cards of their servers. */
export const MCP_APPS = 'io.modelcontextprotocol/ui';
export const MCP_APP_TYPE = 'text/html;profile=mcp-app';
export const MCP_APP_URI = 'ui://reviews/summary';

/** Returns the content of the resource that is the card. It declares no origin, so none is allowed. */
export function mcpApp(html: string) {
  return {
    uri: MCP_APP_URI,
    mimeType: MCP_APP_TYPE,
    text: html,
    _meta: { ui: { csp: {}, prefersBorder: true } },
  };
}
