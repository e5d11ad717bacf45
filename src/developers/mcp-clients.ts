interface McpClient {
  name: string;
  steps: string;
  /** A command, or the content of the named file. */
  code?: { file?: string; text: string };
  /** A link by which the client installs the server itself. */
  install?: string;
}

/**
 * Returns the setup of each client according to its own documentation; none needs a token.
 *
 * @param key names the server in configurations; two servers need two keys
 */
export function mcpClients(url: string, key: string): McpClient[] {
  const base64 = btoa(JSON.stringify({ url }));
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
          mcpServers: { [key]: { command: 'npx', args: ['-y', 'mcp-remote', url] } },
        }),
      },
    },
    {
      name: 'Claude Code',
      steps: 'One command, without --header.',
      code: { text: `claude mcp add --transport http ${key} ${url}` },
    },
    {
      name: 'Cursor',
      steps: 'In the project, or in the same file in your home folder. Leave out headers and auth.',
      code: { file: '.cursor/mcp.json', text: config({ mcpServers: { [key]: { url } } }) },
      install: `cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=${encodeURIComponent(base64)}`,
    },
    {
      name: 'VS Code',
      steps: 'In the workspace. It needs no inputs, because there is no secret.',
      code: {
        file: '.vscode/mcp.json',
        text: config({ servers: { [key]: { type: 'http', url } } }),
      },
      install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: key, type: 'http', url }))}`,
    },
    {
      name: 'ChatGPT',
      steps: `Settings, Apps and connectors, Advanced settings, switch on developer mode; then Create, with the URL ${url} and no authentication. Deep research and company knowledge use its tools search and fetch.`,
    },
    {
      name: 'Gemini CLI',
      steps:
        'In your home folder or in the project. The field is httpUrl: url would mean the older transport.',
      code: {
        file: '.gemini/settings.json',
        text: config({ mcpServers: { [key]: { httpUrl: url } } }),
      },
    },
    {
      name: 'Windsurf',
      steps: 'In your home folder; then refresh the list of servers. The field is serverUrl.',
      code: {
        file: '.codeium/windsurf/mcp_config.json',
        text: config({ mcpServers: { [key]: { serverUrl: url } } }),
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
