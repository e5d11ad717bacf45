import type { Publication } from '../build/publication.ts';
import { HUB_PATH, JSON_FEED_PATH, MCP_PATH } from '../paths.ts';
import { abridge, layOut } from './json-text.ts';

/** A command ready to run, and its real output for this edition. */
export interface Example {
  says: string;
  command: string;
  answer?: string;
  /** The body that the command sends. */
  request?: unknown;
  /** The body that `answer` shows, with its status. */
  response?: { status: number; body: unknown };
}

/** Returns a session of MCP: the calls, and the answer to the last one. */
export function mcpExamples({ baseUrl, dataset }: Publication): Example[] {
  const { business, aggregate_rating, coverage, license } = dataset;
  const result = { business, aggregate_rating, coverage, terms: license.terms };
  const call = (id: number, method: string, params: object, says: string): Example => {
    const request = { jsonrpc: '2.0', id, method, params };
    const command = [
      `curl -s '${baseUrl}${MCP_PATH}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H 'Accept: application/json, text/event-stream' \\`,
      `  -d '${JSON.stringify(request)}'`,
    ].join('\n');
    return { says, command, request };
  };
  const client = { name: 'curl', version: '1.0' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
  const start = call(1, 'initialize', hello, 'Start a session; the response has Mcp-Session-Id');
  const body = {
    jsonrpc: '2.0',
    id: 3,
    result: {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
    },
  };
  return [
    { ...start, command: start.command.replace('curl -s ', 'curl -si ') },
    call(2, 'tools/list', {}, 'The tools and their arguments'),
    {
      ...call(3, 'tools/call', { name: 'get_business', arguments: {} }, 'Call a tool'),
      answer: layOut(abridge(body)),
      response: { status: 200, body },
    },
  ];
}

/** Returns two requests for a subscription. */
export function hubExamples(baseUrl: string): Example[] {
  const request = (callback: string) =>
    [
      `curl -s -w '%{http_code}\\n' '${baseUrl}${HUB_PATH}' \\`,
      `  --data-urlencode 'hub.mode=subscribe' \\`,
      `  --data-urlencode 'hub.topic=${baseUrl}${JSON_FEED_PATH}' \\`,
      `  --data-urlencode 'hub.callback=${callback}' \\`,
      `  --data-urlencode 'hub.secret=a long random string'`,
    ].join('\n');
  return [
    {
      says: 'Subscribe to a topic',
      command: request('https://subscriber.example/reviews'),
      answer: '202',
    },
    {
      says: 'Plain HTTP is refused with a one-line reason',
      command: request('http://subscriber.example/reviews'),
    },
  ];
}
