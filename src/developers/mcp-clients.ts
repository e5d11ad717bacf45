import clients from './mcp-clients.json' with { type: 'json' };

interface McpClient {
  name: string;
  steps: string;
  /** A command, unless there is a configuration. */
  command?: string;
  /** Content of the named file. */
  config?: object;
  file?: string;
  /** A link by which the client installs the server itself; it ends with one of these. */
  install?: { link: string; json?: object; base64?: object };
}

/**
 * Returns the setup of each client according to its own documentation; none needs a token.
 *
 * @param key names the server in configurations; two servers need two keys
 */
export function mcpClients(url: string, key: string) {
  const text = JSON.stringify(clients).replaceAll('{url}', url).replaceAll('{key}', key);
  return (JSON.parse(text) as McpClient[]).map(({ config, command, install, ...client }) => {
    const { link, json, base64 } = install ?? {};
    const end = base64 ? btoa(JSON.stringify(base64)) : JSON.stringify(json);
    return {
      ...client,
      code: config ? JSON.stringify(config, null, 2) : command,
      install: link && link + encodeURIComponent(end),
    };
  });
}
