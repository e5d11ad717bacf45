import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { MCP_HEADERS } from '../support/mcp.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const MOST_IDLE = 250;

/** A connection, and what arrived on it. */
async function connected(context: TestContext, url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  context.after(() => void socket.destroy());
  const seen = { text: '', error: undefined as Error | undefined };
  socket.on('data', (bytes) => (seen.text += bytes.toString('latin1')));
  socket.on('error', (error) => (seen.error = error));
  await once(socket, 'connect');
  return { socket, seen };
}

test('when the server closes, requests under way and the next of each connection are answered', async (context) => {
  const { url, close } = await listenOnFreePort(await sampleApp(), { farewellMs: 5_000 });
  const idle = await connected(context, url);
  idle.socket.write(HEALTH);
  await eventually(() => idle.seen.text.includes('"ok":true'));
  const busy = await connected(context, url);
  const body = 'hub.mode=subscribe';
  const head = [
    'POST /api/websub/hub HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  busy.socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await eventually(
    async () => (await fetch(`${url}healthz`, { headers: { connection: 'close' } })).ok,
  );
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

test('one address keeps a bounded number of idle connections, the others are closed', async (context) => {
  const { url, close } = await listenOnFreePort(await sampleApp());
  context.after(() => close());
  const all: Socket[] = [];
  for (let opened = 0; opened < MOST_IDLE + 10; opened++) {
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

const PIECE = ' '.repeat(64 * 1024);
const PIECES = Array.from({ length: 16 }, () => PIECE);
const DOORS = {
  '/mcp': MCP_HEADERS,
  '/api/websub/hub': { 'content-type': 'application/x-www-form-urlencoded' },
};
const FRAMINGS = {
  'a stated length': [`Content-Length: ${PIECE.length * PIECES.length}`, ...PIECES],
  chunks: [
    'Transfer-Encoding: chunked',
    ...PIECES.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
    '0\r\n\r\n',
  ],
};

// Closing a connection with unread bytes resets it, and a proxy in between would send a 502.
for (const [path, headers] of Object.entries(DOORS)) {
  for (const [framing, [head, ...pieces]] of Object.entries(FRAMINGS)) {
    test(`${path}: a body too large with ${framing} is 413 before it ends, and the connection goes on`, async (context) => {
      const { url, close } = await listenOnFreePort(await sampleApp());
      context.after(close);
      const { socket, seen } = await connected(context, url);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join('')}${head}\r\n\r\n`);
      for (const piece of pieces.slice(0, 8)) socket.write(piece);
      await eventually(() => seen.text.startsWith('HTTP/1.1 413 '));
      for (const piece of pieces.slice(8)) socket.write(piece);
      socket.write(HEALTH);
      await eventually(() => seen.text.includes('HTTP/1.1 200 '));
    });
  }
}
