import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { Subscriptions } from '../../sidecar/mcp/subscriptions.ts';
import { eventually } from '../support/eventually.ts';
import { MCP_HEADERS, request } from '../support/mcp.ts';
import { listenOnFreePort, openSampleFolder, sampleApp } from '../support/targets.ts';

// MCP 2026-07-28, basic/patterns/subscriptions.

const VERSION = '2026-07-28';
const ID_KEY = 'io.modelcontextprotocol/subscriptionId';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function serve(context: TestContext, keepAliveMs?: number) {
  const sample = await openSampleFolder();
  let current = sample;
  const subscriptions = new Subscriptions(() => current, keepAliveMs);
  const server = await listenOnFreePort(await sampleApp({ mcpOptions: { subscriptions } }));
  context.after(async () => {
    subscriptions.close();
    await server.close();
  });
  const listen = (notifications: unknown, signal?: AbortSignal) =>
    fetch(`${server.url}mcp`, {
      method: 'POST',
      headers: {
        ...MCP_HEADERS,
        'mcp-protocol-version': VERSION,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(request('subscriptions/listen', { _meta, notifications }, 'mine')),
      ...(signal && { signal }),
    });
  const swap = (change: Partial<Edition>) => {
    current = { ...sample, ...change };
    subscriptions.notify();
  };
  return { listen, sample, subscriptions, swap };
}

/** Reads the messages of a stream one by one. */
function messagesOf(response: Response): () => Promise<Message> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = await reader.read();
        assert.ok(!done, 'the stream ended');
        text += value;
        continue;
      }
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined) return JSON.parse(data) as Message;
    }
  };
}

interface Message {
  id?: string;
  method?: string;
  params?: { _meta: Record<string, string>; notifications?: object; uri?: string };
  result?: object;
}

test('a stream begins with what is honored, and tells of each resource that changes', async (context) => {
  const { listen, sample, swap } = await serve(context);
  const business = 'reviews://business';
  const response = await listen({
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: [business, 'reviews://insights', 'reviews://nothing'],
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(response.headers.get('x-accel-buffering'), 'no');
  const next = messagesOf(response);
  const acknowledged = await next();
  assert.equal(acknowledged.method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(acknowledged.params, {
    _meta: { [ID_KEY]: 'mine' },
    notifications: {
      resourcesListChanged: true,
      resourceSubscriptions: [business, 'reviews://insights'],
    },
  });

  const { metadata, insights } = sample;
  swap({ metadata: { ...metadata, business: { ...metadata.business, name: 'Another' } } });
  const updated = await next();
  assert.equal(updated.method, 'notifications/resources/updated');
  assert.deepEqual(updated.params, { _meta: { [ID_KEY]: 'mine' }, uri: business });

  swap({ insights: { ...insights, aspects: insights.aspects.slice(1) } });
  const methods = [(await next()).method, (await next()).method, (await next()).method];
  assert.deepEqual(methods.sort(), [
    'notifications/resources/list_changed',
    'notifications/resources/updated', // the business again, and the insights
    'notifications/resources/updated',
  ]);
});

test('an edition that changes nothing of it sends nothing, and the server ends the stream', async (context) => {
  const { listen, subscriptions, swap } = await serve(context, 20);
  const next = messagesOf(await listen({ resourceSubscriptions: ['reviews://business'] }));
  await next();
  swap({});
  subscriptions.close();
  const last = await next();
  assert.deepEqual(
    [last.id, last.result],
    ['mine', { resultType: 'complete', _meta: { [ID_KEY]: 'mine' } }],
  );
});

test('a client that leaves is forgotten, and an address has twenty streams', async (context) => {
  const { listen, subscriptions } = await serve(context);
  const leaving = new AbortController();
  const held: Response[] = []; // fetch ends the stream of a response that is garbage
  for (let count = 0; count < 20; count++) held.push(await listen({}, leaving.signal));
  assert.ok(held.every(({ status }) => status === 200));
  const refused = await listen({});
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get('retry-after'));
  assert.equal(((await refused.json()) as { error: { code: number } }).error.code, -32000);
  assert.equal(subscriptions.count, 20);
  leaving.abort();
  await eventually(() => subscriptions.count === 0);
});

test('a request that does not say what to listen for is -32602', async (context) => {
  const { listen } = await serve(context);
  for (const notifications of [undefined, 'all', { resourceSubscriptions: 'reviews://business' }]) {
    const response = await listen(notifications);
    const { error } = (await response.json()) as { error: { code: number } };
    assert.deepEqual([response.status, error.code], [400, -32602]);
  }
});
