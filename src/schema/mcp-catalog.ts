/** Revisions with sessions, which begin with `initialize`; newest first. 2025-03-26 is not among them
 * because it requires batches, in which one request could ask for a hundred searches.
 */
export const MCP_SESSION_VERSIONS = ['2025-11-25', '2025-06-18'] as const;

/** The revision without handshake and sessions. */
export const MCP_STATELESS_VERSION = '2026-07-28';

/** The tools of /mcp and their purposes, in the order they are listed. */
export const MCP_TOOLS = {
  get_business: 'The business, its aggregate rating, and what the dataset covers.',
  search_reviews: 'The same filters as the search over HTTP.',
  count_reviews: 'Exact counts by one or two groupings, with quotes.',
  get_review: 'One review by its id.',
  get_insight: 'What reviews say of one aspect, person, service, topic, problem or area.',
  list_insights: 'The ids of one kind: aspects, technicians, services and so on.',
  get_faq: 'Questions with answers and their evidence.',
  what_changed: 'Reviews that were added, edited, answered or withdrawn since a day.',
  get_summary: 'The editorial summary.',
  search: 'What fits a question best, in the shape of ChatGPT’s connectors.',
  fetch: 'The text of a result of search.',
} as const;
export type McpTool = keyof typeof MCP_TOOLS;

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
