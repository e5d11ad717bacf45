/** Setup instructions for an MCP client. */
export interface McpClient {
  name: string;
  steps: string;
  /** A command, or the content of the named file. */
  code?: { file?: string; text: string };
}

/** Returns the setup of each client according to its own documentation; none needs a token. */
export function mcpClients(url: string): McpClient[] {
  const config = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      name: 'Claude Desktop and claude.ai',
      steps: `Settings, Connectors, Add custom connector. Give it a name and the URL ${url}. Leave the OAuth client ID and secret under Advanced settings blank. The URL must be https and reachable from the internet.`,
    },
    {
      name: 'Claude Desktop, service on this machine',
      steps: 'A bridge connects standard input and output to HTTP.',
      code: {
        file: 'claude_desktop_config.json',
        text: config({
          mcpServers: { reviews: { command: 'npx', args: ['-y', 'mcp-remote', url] } },
        }),
      },
    },
    {
      name: 'Claude Code',
      steps: 'One command, without --header.',
      code: { text: `claude mcp add --transport http reviews ${url}` },
    },
    {
      name: 'Cursor',
      steps: 'In the project, or in the same file in your home folder. Leave out headers and auth.',
      code: { file: '.cursor/mcp.json', text: config({ mcpServers: { reviews: { url } } }) },
    },
    {
      name: 'VS Code',
      steps: 'In the workspace. It needs no inputs, because there is no secret.',
      code: {
        file: '.vscode/mcp.json',
        text: config({ servers: { reviews: { type: 'http', url } } }),
      },
    },
    {
      name: 'MCP Inspector',
      steps: 'In a terminal. In its window, choose Streamable HTTP and leave Authentication blank.',
      code: {
        text: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
      },
    },
  ];
}
