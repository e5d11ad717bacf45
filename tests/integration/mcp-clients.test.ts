import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import { smallEdition } from '../support/edition-folder.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { startSidecar, type SidecarProcess } from '../support/sidecar-process.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// The SDK's client, which checks every result against the tool's outputSchema.

const CALLS = 200;

async function connected(url: string, fetchFrom: typeof fetch = fetch): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: fetchFrom });
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
  const argument = { name: 'service', value: '' };
  const ref = { type: 'ref/prompt' as const, name: prompt!.name };
  const { completion } = await client.complete({ ref, argument });
  const asked = { name: prompt!.name, arguments: { service: completion.values[0]! } };
  assert.equal((await client.getPrompt(asked)).messages.length, 2);
});

test('two replicas in turn, one restarted in the middle: no call fails', async (context) => {
  const edition = await smallEdition();
  const start = async (): Promise<SidecarProcess> => {
    const DATA_DIR = await temporaryFolder(context);
    const replica = await startSidecar({
      EDITION: edition,
      DATA_DIR,
      MCP_SECRET: 'shared by all replicas',
      HUB_KEY: 'the key of the tests',
      RATE_LIMIT: '0',
    });
    context.after(() => replica.child.kill('SIGKILL'));
    return replica;
  };
  let inRotation: SidecarProcess[] = await Promise.all([start(), start()]);
  const [leaving] = inRotation;
  let turn = 0;
  const asked = new Map<string, number>();
  const balanced: typeof fetch = (_url, init) => {
    const { url } = inRotation[turn++ % inRotation.length]!;
    asked.set(url, (asked.get(url) ?? 0) + 1);
    return fetch(`${url}mcp`, init);
  };
  const client = await connected('http://replicas.example/mcp', balanced);
  context.after(() => client.close());

  let restarted: Promise<void> | undefined;
  for (let count = 0; count < CALLS; count++) {
    if (count === CALLS / 4) {
      inRotation = inRotation.slice(1);
      leaving!.child.kill('SIGTERM');
      restarted = leaving!.exited.then(start).then((back) => void inRotation.push(back));
    }
    if (count === CALLS / 2) await restarted;
    const { structuredContent, isError } = await client.callTool({
      name: 'search_reviews',
      arguments: { limit: 1 + (count % 100) },
    });
    assert.ok(!isError);
    assert.equal((structuredContent as { returned: number }).returned, 1 + (count % 100));
  }
  assert.equal(asked.size, 3, 'the restarted replica listens on another port');
  for (const [url, count] of asked) assert.ok(count > CALLS / 8, `${url}: ${count}`);
});
