import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import { serveSample } from '../support/targets.ts';

// The SDK's client, which checks every result against the tool's outputSchema.

async function connected(url: string): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Transport);
  return client;
}

test('a client finds its way from the list of tools to a cited review', async (context) => {
  const client = await connected(`${await serveSample(context)}mcp`);
  context.after(() => client.close());
  assert.equal(client.getServerVersion()?.title, 'Reviews of Harbor & Pine Home Services');
  assert.ok(client.getInstructions());
  await client.ping();

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    assert.ok(!isError, name);
    return structuredContent as Record<string, { id: string }[]>;
  };
  const [review] = (await call('search_reviews', { limit: 1 })).reviews!;
  const { tools } = await client.listTools();
  assert.equal(tools.length, Object.keys(MCP_TOOLS).length);
  await call('fetch', { id: review!.id });
  const failed = await client.callTool({ name: 'get_insight', arguments: { name: 'nothing' } });
  assert.equal(failed.isError, true);

  const uri = `reviews://review/${review!.id}`;
  assert.equal((await client.readResource({ uri })).contents[0]!.uri, uri);
  const [prompt] = (await client.listPrompts()).prompts;
  const [service] = (await call('list_insights', { kind: 'services' })).items!;
  const asked = { name: prompt!.name, arguments: { service: service!.id } };
  assert.equal((await client.getPrompt(asked)).messages.length, 2);
});
