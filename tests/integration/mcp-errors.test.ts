import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorder } from '../support/edition.ts';
import { doorOf, initialize, post, request, send } from '../support/mcp.ts';
import { openSampleFolder, sampleApp } from '../support/targets.ts';

const INNER = 'the database at 10.0.0.7 said no';

test('a method that throws is -32603 without inner text, and is logged with it', async () => {
  const { logger, lines } = recorder('error');
  const failing = Object.defineProperty({ ...(await openSampleFolder()) }, 'insights', {
    get() {
      throw new Error(INNER);
    },
  });
  const door = doorOf(await sampleApp({ mcpOptions: { logger, edition: () => failing } }));
  const { status, body } = await post(door, request('tools/call', { name: 'get_summary' }, 'mine'));
  const error = { code: -32603, message: 'Internal error' };
  assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id: 'mine', error }]);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]!.method, 'tools/call');
  assert.ok(String(lines[0]!.error).includes(INNER));
});

test('a failure outside of any method is logged and gets a JSON-RPC error', async () => {
  const { logger, lines } = recorder('error');
  const clock = () => {
    throw new Error(INNER);
  };
  const door = doorOf(await sampleApp({ mcpOptions: { logger, clock } }));
  const { status, body } = await post(door, initialize());
  assert.deepEqual([status, body!.id, body!.error!.code], [500, 1, -32603]);
  assert.ok(!JSON.stringify(body).includes(INNER));
  assert.equal(lines.length, 1);
  assert.ok(String(lines[0]!.error).includes(INNER));
});

test('sessions of one address have a rate each, and ten times as much together', async () => {
  let now = 0;
  const door = doorOf(await sampleApp({ mcpOptions: { rate: 2, now: () => now } }));
  const open = async () => (await post(door, initialize())).headers.get('mcp-session-id')!;
  const ping = async (id: string) =>
    (await post(door, request('ping'), { 'mcp-session-id': id })).status;
  const [one, other] = [await open(), await open()];
  assert.deepEqual([await ping(one), await ping(one), await ping(one)], [200, 200, 429]);
  assert.equal(await ping(other), 200);
  assert.equal((await post(door, request('ping'))).status, 200, 'the address without a session');
  for (let left = 13; left > 0; left--) await ping(one);
  const { status, headers, body } = await post(door, request('ping'));
  assert.deepEqual([status, body!.error!.code], [429, -32000], 'the address has had its twenty');
  now += Number(headers.get('retry-after')) * 1000;
  assert.equal((await post(door, request('ping'))).status, 200);
});

test('a preflight does not count, and searches have a rate of their own', async () => {
  const now = () => 0; // what is computed costs no time
  const app = await sampleApp({ searchRate: 1, now, mcpOptions: { rate: 1, now } });
  const door = doorOf(app);
  assert.equal((await post(door, request('ping'))).status, 200);
  assert.equal((await app.request('/api/reviews/search')).status, 200);
  assert.equal((await app.request('/api/reviews/search')).status, 429);
  assert.equal((await send(door, { method: 'OPTIONS' })).status, 204);
});
