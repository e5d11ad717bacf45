import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { exchange } from '../support/http.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** Opens a connection, and returns what has arrived on it. */
async function connected(context: TestContext, url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  context.after(() => socket.destroy());
  let received = '';
  socket.on('data', (data) => (received += data.toString('latin1')));
  await once(socket, 'connect');
  const statuses = () => Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
  return { socket, statuses };
}

async function started(context: TestContext, options = {}) {
  const server = await listenOnFreePort(await sampleApp(options));
  context.after(() => server.close());
  return server;
}

test('others are served between the requests that a client sends without waiting', async (context) => {
  const { url } = await started(context);
  await exchange(url, '/healthz'); // compiles all code
  const requests = 5_000;
  const { socket, statuses } = await connected(context, url);
  socket.write(HEALTH.repeat(requests));
  await eventually(() => statuses().length > 0);
  assert.equal((await exchange(url, '/robots.txt')).status, 200);
  assert.ok(statuses().length < requests / 2, `after ${statuses().length} of them`);
  await eventually(() => statuses().length === requests);
});

test('answers in order whatever a client sends without waiting, bodies too', async (context) => {
  const { url } = await started(context);
  const { socket, statuses } = await connected(context, url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', pad: 'x'.repeat(50_000) });
  const post = `POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const missing = HEALTH.replace('/healthz', '/nothing');
  socket.write(HEALTH + post + missing + post + HEALTH);
  await eventually(() => statuses().length === 5);
  assert.deepEqual(statuses(), ['200', '403', '404', '403', '200']);
});

test('health checks, unknown paths and redirects count for the limit of a client, too', async (context) => {
  const { url } = await started(context, { downloadRate: 100_000, now: () => 0 });
  const statuses: number[] = [];
  for (const path of ['/healthz', '/nothing', '/search', '/readyz', '/healthz', '/healthz']) {
    statuses.push((await exchange(url, path)).status);
  }
  assert.deepEqual(statuses, [200, 404, 301, 200, 200, 429]);
});
