import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { H3 } from 'h3';
import { eventually } from '../support/eventually.ts';
import { exchange } from '../support/http.ts';
import { listenOnFreePort, sampleApp, serveSample } from '../support/targets.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const MAX_IDLE = 250;

/** A connection, and what arrived on it. */
async function connected(context: TestContext, url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  context.after(() => void socket.destroy());
  const seen = { text: '', error: undefined as Error | undefined };
  socket.on('data', (bytes) => (seen.text += bytes.toString('latin1')));
  socket.on('error', (error) => (seen.error = error));
  await once(socket, 'connect');
  const statuses = () =>
    Array.from(seen.text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
  return { socket, seen, statuses };
}

test('when the server closes, requests under way and the next of each connection are answered', async (context) => {
  const { url, close } = await listenOnFreePort(await sampleApp(), { farewellMs: 5_000 });
  const idle = await connected(context, url);
  idle.socket.write(HEALTH);
  await eventually(() => idle.seen.text.includes('"ok":true'));
  const busy = await connected(context, url);
  const body = 'hub.mode=subscribe';
  const fields = `${FORM}\r\nContent-Length: ${body.length}`;
  busy.socket.write(`POST /api/websub/hub HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`);
  busy.socket.write(body.slice(0, 5));
  const probe = { headers: { connection: 'close' } };
  await eventually(async () => (await fetch(`${url}healthz`, probe)).ok);
  const started = performance.now();
  const closed = close();
  busy.socket.write(body.slice(5));
  idle.seen.text = '';
  idle.socket.write(HEALTH);
  await Promise.all([once(idle.socket, 'end'), once(busy.socket, 'end')]);
  assert.match(idle.seen.text, /^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);
  assert.match(busy.seen.text, /^HTTP\/1\.1 400 Bad Request\r\n(.*\r\n)*connection: close\r\n/i);
  await closed;
  assert.ok(performance.now() - started < 4_000, 'it waits for nobody');
  assert.deepEqual([idle.seen.error, busy.seen.error], [undefined, undefined]);
});

test('an idle connection that sends nothing more is closed after the farewell', async (context) => {
  const { url, close } = await listenOnFreePort(await sampleApp(), { farewellMs: 300 });
  const { socket, seen } = await connected(context, url);
  const started = performance.now();
  const closed = close();
  await once(socket, 'end');
  await closed;
  assert.ok(performance.now() - started >= 300);
  assert.equal(seen.error, undefined);
});

test('a client that does not read its answer is cut', async (context) => {
  const cut = Promise.withResolvers<boolean>();
  const app = new H3().get('/', ({ runtime }) => {
    runtime!.node!.res!.once('close', () => cut.resolve(true));
    return Buffer.alloc(64 * 1024 * 1024); // more than the buffers on the way take
  });
  const { url, close } = await listenOnFreePort(app, { requestSeconds: 0 });
  context.after(close);
  const { socket } = await connected(context, url);
  socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const waited = setTimeout(() => cut.resolve(false), 8_000);
  assert.ok(await cut.promise, 'not within 8 s');
  clearTimeout(waited);
});

test('one address keeps a bounded number of idle connections, the others are closed', async (context) => {
  const url = await serveSample(context);
  const all: Socket[] = [];
  for (let opened = 0; opened < MAX_IDLE + 10; opened++) {
    const connection = await connected(context, url);
    if (opened % 2 === 0) {
      connection.socket.write(HEALTH);
      await eventually(() => connection.seen.text !== '');
    }
    all.push(connection.socket);
  }
  await eventually(() =>
    all.slice(0, 10).every(({ readableEnded, destroyed }) => readableEnded || destroyed),
  );
  assert.ok(all.slice(10).every(({ readableEnded }) => !readableEnded));
});

const PIECES = Array.from({ length: 16 }, () => ' '.repeat(64 * 1024));
const CHUNKS = PIECES.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
const JSON_TYPE = 'Content-Type: application/json';

// Closing a connection with unread bytes resets it, and a proxy in between would send a 502.
for (const [path, fields, pieces] of [
  ['/mcp', `${JSON_TYPE}\r\nContent-Length: ${PIECES.join('').length}`, PIECES],
  ['/api/websub/hub', `${FORM}\r\nTransfer-Encoding: chunked`, [...CHUNKS, '0\r\n\r\n']],
] as const) {
  test(`${path}: a body too large is 413 before it ends, and the connection goes on`, async (context) => {
    const { socket, seen } = await connected(context, await serveSample(context));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`);
    for (const piece of pieces.slice(0, 8)) socket.write(piece);
    await eventually(() => seen.text.startsWith('HTTP/1.1 413 '));
    for (const piece of pieces.slice(8)) socket.write(piece);
    socket.write(HEALTH);
    await eventually(() => seen.text.includes('HTTP/1.1 200 '));
  });
}

test('others are served between the requests that a client sends without waiting', async (context) => {
  const url = await serveSample(context);
  await exchange(url, '/healthz'); // compiles all code
  const requests = 2_000;
  const { socket, statuses } = await connected(context, url);
  socket.write(HEALTH.repeat(requests));
  await eventually(() => statuses().length > 0);
  assert.equal((await exchange(url, '/robots.txt')).status, 200);
  assert.ok(statuses().length < requests / 2, `after ${statuses().length} of them`);
  await eventually(() => statuses().length === requests);
});

test('answers in order whatever a client sends without waiting, bodies too', async (context) => {
  const url = await serveSample(context);
  const { socket, statuses } = await connected(context, url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', pad: 'x'.repeat(50_000) });
  const post = `POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const missing = HEALTH.replace('/healthz', '/nothing');
  socket.write(HEALTH + post + missing + post + HEALTH);
  await eventually(() => statuses().length === 5);
  assert.deepEqual(statuses(), ['200', '403', '404', '403', '200']);
});

test('health checks, unknown paths and redirects count for the limit of a client, too', async (context) => {
  const url = await serveSample(context, { downloadRate: 100_000, now: () => 0 });
  const statuses: number[] = [];
  for (const path of ['/healthz', '/nothing', '/search', '/readyz', '/healthz', '/healthz']) {
    statuses.push((await exchange(url, path)).status);
  }
  assert.deepEqual(statuses, [200, 404, 301, 200, 200, 429]);
});
