import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// The SDK's client, which checks every result against the tool's outputSchema.

async function connected(url: string): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Transport);
  return client;
}

/** Valid arguments of every tool. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  search_reviews: { query: 'heat', min_rating: 4, limit: 50 },
  get_aspect_sentiment: { aspect: 'punctuality' },
  list_insights: { kind: 'technicians' },
  get_faq: { query: 'time' },
  what_changed: { since: '2026-01-01' },
  search: { query: 'Who repairs a water heater?' },
};

test('a client finds its way from the list of tools to a cited review', async (context) => {
  const server = await listenOnFreePort(await sampleApp());
  context.after(() => server.close());
  const client = await connected(`${server.url}mcp`);
  context.after(() => client.close());
  assert.equal(client.getServerVersion()?.title, 'Reviews of Harbor & Pine Home Services');
  assert.ok(client.getInstructions());
  await client.ping();

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    assert.ok(!isError, name);
    return structuredContent as Record<string, { id: string }[]>;
  };
  const firstOf = async (kind: string) => (await call('list_insights', { kind })).items![0]!.id;
  const [review] = (await call('search_reviews', { limit: 1 })).reviews!;
  const found: typeof ARGUMENTS = {
    get_review: { id: review!.id },
    fetch: { id: review!.id },
    get_technician: { name: await firstOf('technicians') },
    get_service: { service: await firstOf('services') },
    get_topic: { topic: await firstOf('topics') },
  };

  const { tools } = await client.listTools();
  assert.equal(tools.length, Object.keys(MCP_TOOLS).length);
  for (const { name } of tools) await call(name, found[name] ?? ARGUMENTS[name]);
  const failed = await client.callTool({ name: 'get_topic', arguments: { topic: 'nothing' } });
  assert.equal(failed.isError, true);

  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    assert.equal((await client.readResource({ uri })).contents.length, 1);
  }
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 8);
  const uri = `reviews://review/${review!.id}`;
  assert.equal((await client.readResource({ uri })).contents[0]!.uri, uri);
  const [prompt] = (await client.listPrompts()).prompts;
  const services = await client.callTool({
    name: 'list_insights',
    arguments: { kind: 'services' },
  });
  const { items } = services.structuredContent as { items: { id: string }[] };
  const asked = { name: prompt!.name, arguments: { service: items[0]!.id } };
  assert.equal((await client.getPrompt(asked)).messages.length, 2);
});
