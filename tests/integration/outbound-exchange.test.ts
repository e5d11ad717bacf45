import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Exchange } from '../../sidecar/hub/outbound/outbound.ts';
import { callbacksFor, type Callbacks } from '../support/callback-server.ts';
import { eventually } from '../support/eventually.ts';
import { openOutbound } from '../support/hub.ts';
import { listen } from '../support/listeners.ts';
import { testCa } from '../support/test-ca.ts';

const start = async (context: TestContext) => ({
  peer: await callbacksFor(context),
  hub: openOutbound(context),
});

/** Speaks TLS on loopback, and passes each connection to `peer`. */
async function secure(context: TestContext, peer: (socket: Socket) => void) {
  const pair = testCa().issue(['127.0.0.1']);
  const { port, opened } = await listen(context, peer, { address: '127.0.0.1', pair });
  return { url: `https://127.0.0.1:${port}/`, opened };
}

const delivery = (url: string, extra: Partial<Exchange> = {}): Exchange => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"reviews":[]}'),
  maxBody: 64,
  ...extra,
});

test('a POST arrives as it was given', async (context) => {
  const { peer, hub } = await start(context);
  peer.handle((_, response) => response.writeHead(202).end('thanks'));
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256));
  const outcome = await hub.send(
    delivery(peer.url('/callback'), {
      body,
      headers: { 'X-Hub-Signature': 'sha256=00', etag: '"1"' },
    }),
  );
  assert.deepEqual(outcome, {
    kind: 'response',
    status: 202,
    body: Buffer.from('thanks'),
    truncated: false,
  });
  const [received] = peer.requests;
  assert.equal(received!.method, 'POST');
  assert.deepEqual(received!.body, body);
  const { host, connection: _, ...headers } = received!.headers;
  assert.equal(host, new URL(peer.url()).host);
  assert.deepEqual(headers, {
    'user-agent': 'reviews-service (WebSub hub)',
    'accept-encoding': 'identity',
    'x-hub-signature': 'sha256=00',
    etag: '"1"',
    'content-length': '100000',
  });
});

test('a peer that says 100 to each POST, before its answer or with it, keeps its connection', async (context) => {
  const hub = openOutbound(context);
  const [said, answer] = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 No Content\r\n\r\n'];
  const peer = (socket: Socket) => {
    let asked = 0;
    socket.on('data', (bytes) => {
      if (!bytes.includes('reviews')) return; // the body is still to come
      if (asked++ % 2 === 0) socket.write(said, () => socket.write(answer));
      else socket.write(said + answer);
    });
  };
  const { opened, url } = await secure(context, peer);
  for (let post = 0; post < 4; post++) {
    const outcome = await hub.send(delivery(url));
    assert.equal(outcome.kind === 'response' && outcome.status, 204);
  }
  assert.equal(opened(), 1);
});

test('a GET has no body', async (context) => {
  const { peer, hub } = await start(context);
  const url = peer.url('/?hub.challenge=abc');
  const outcome = await hub.send({ method: 'GET', url, headers: {}, maxBody: 64 });
  assert.ok(outcome.kind === 'response');
  assert.equal(outcome.body.toString(), 'abc');
  const { headers, body } = peer.requests[0]!;
  assert.equal(headers['content-length'] ?? headers['transfer-encoding'], undefined);
  assert.equal(body.length, 0);
});

const TARGETS = [
  '/',
  '/callback?',
  '/a/../b/./c//d/%2e%2e/e',
  '/?b=2&a=1&b=3&&=&c',
  '/?q=%7e~%7E+%20%2B&bad=%zz%',
  "/?quotes='%27%22&brackets=[]{}|^`",
  '/?hub.challenge=mine&hub.mode=subscribe&hub.topic=https%3A%2F%2Fpeer.example%2Ffeed.xml',
];

test('path and query arrive byte for byte', async (context) => {
  const { peer, hub } = await start(context);
  for (const target of TARGETS) await hub.send(delivery(peer.url(target)));
  const arrived = peer.requests.map(({ path }) => path);
  assert.deepEqual(arrived, TARGETS);
});

test('a header that HTTP cannot carry fails the exchange and nothing else', async (context) => {
  const { peer, hub } = await start(context);
  const outcome = await hub.send(delivery(peer.url(), { headers: { link: 'a\r\nb: c' } }));
  assert.deepEqual(outcome, {
    kind: 'failure',
    reason: 'the exchange failed (UND_ERR_INVALID_ARG)',
    unreached: true,
  });
  assert.equal((await hub.send(delivery(peer.url()))).kind, 'response');
});

test('a refused connection is a failure', async (context) => {
  const { peer, hub } = await start(context);
  await peer.close();
  assert.deepEqual(await hub.send(delivery(peer.url())), {
    kind: 'failure',
    reason: 'the connection was refused',
    unreached: true,
  });
});

/** A peer that responds to the first request on its first connection, and then calls `later`. */
async function keepAlivePeer(context: TestContext, later: (request: number) => string | undefined) {
  const seen: { connection: number; answered: boolean }[] = [];
  const { url, opened } = await secure(context, (socket) => {
    const connection = opened();
    socket.on('data', () => {
      const text = seen.length === 0 ? EMPTY : later(seen.length);
      seen.push({ connection, answered: text !== undefined });
      if (text === undefined) socket.destroy();
      else if (text.endsWith('\r\n\r\n')) socket.write(text);
      else socket.end(text);
    });
  });
  return { url, seen };
}

const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const CLOSED = { kind: 'failure', reason: 'the connection was closed before an answer' };

test('a request is sent once, whatever the peer may have read of it', async (context) => {
  const { url, seen } = await keepAlivePeer(context, (request) =>
    request === 1 ? undefined : 'HTTP/1.1 200 OK\r\ncontent-',
  );
  const hub = openOutbound(context);
  await hub.send(delivery(url));
  assert.deepEqual(await hub.send(delivery(url)), CLOSED);
  assert.deepEqual(await hub.send(delivery(url)), CLOSED);
  assert.deepEqual(seen, [
    { connection: 1, answered: true },
    { connection: 1, answered: false },
    { connection: 2, answered: true },
  ]);
});

test('a connection whose body the peer did not read carries no other request', async (context) => {
  const { url, opened } = await secure(context, (socket) => {
    socket.once('data', () => socket.pause().write(EMPTY));
  });
  const hub = openOutbound(context);
  const body = Buffer.alloc(64 * 1024 * 1024); // more than the buffers on the way take
  for (let sent = 1; sent <= 2; sent++) {
    const outcome = await hub.send(delivery(url, { body }));
    assert.deepEqual([outcome.kind, opened()], ['response', sent]);
  }
});

test('an answer that nobody asked for is never taken for the next one', async (context) => {
  const { url, seen } = await keepAlivePeer(context, (request) =>
    request === 1 ? `${EMPTY}HTTP/1.1 418 Mine\r\ncontent-length: 0\r\n\r\n` : EMPTY,
  );
  const hub = openOutbound(context);
  for (let sent = 0; sent < 4; sent++) {
    const outcome = await hub.send(delivery(url));
    assert.ok(outcome.kind === 'response');
    assert.equal(outcome.status, 200);
  }
  assert.equal(seen.length, 4);
});

/** Answers to requests, given on demand, oldest first. */
function held(peer: Callbacks) {
  const answers: ServerResponse[] = [];
  peer.handle((_, response) => answers.push(response));
  return {
    answer: () => answers.shift()!.writeHead(204).end(),
    until: (received: number) => eventually(() => peer.requests.length === received),
  };
}

/** Acknowledges at once in a thread of its own, so that an answer can precede the end of a write. */
const PROMPT_PEER = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
let opened = 0;
const server = createServer(workerData, (request, response) => {
  request.resume().once('end', () => response.end(String(opened)));
});
server.on('connection', () => opened++);
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('answers that come at once leave the connection for the next request', async (context) => {
  const workerData = testCa().issue(['127.0.0.1']);
  const peer = new Worker(PROMPT_PEER, { eval: true, workerData });
  context.after(() => peer.terminate());
  const [port] = (await once(peer, 'message')) as [number];
  const hub = openOutbound(context);
  for (let sent = 0; sent < 30; sent++) {
    const body = Buffer.alloc(200_000);
    const outcome = await hub.send(delivery(`https://127.0.0.1:${port}/`, { body }));
    assert.equal(outcome.kind === 'response' && outcome.body.toString(), '1', 'connections');
  }
});

test('a connection that nobody used for a second is closed', async (context) => {
  const { peer, hub } = await start(context);
  await hub.send(delivery(peer.url()));
  assert.equal(peer.open(), 1);
  await eventually(() => peer.open() === 0);
});

test('a body has the time that its size may take, beyond the patience for the answer', async (context) => {
  const { peer, hub } = await start(context);
  const { answer, until } = held(peer);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let read = () => {};
  const reading = new Promise<void>((resolve) => (read = resolve));
  let came = false;
  peer.beforeBody(() => {
    came = true;
    return reading;
  });
  const body = Buffer.alloc(32 * 1024 * 1024); // 128 s
  const sending = hub.send(delivery(peer.url(), { body, patienceMs: 10_000 }));
  await eventually(() => came);
  context.mock.timers.tick(100_000);
  read();
  await until(1);
  context.mock.timers.tick(9_000);
  answer();
  assert.equal((await sending).kind, 'response');
});

test('closing ends what is open and what comes after', async (context) => {
  const { peer, hub } = await start(context);
  const { until } = held(peer);
  const sent = [hub.send(delivery(peer.url())), hub.send(delivery(peer.url()))];
  await until(2);
  hub.close();
  const stopping = { kind: 'failure', reason: 'the hub is stopping' };
  assert.deepEqual(await Promise.all(sent), [stopping, stopping]);
  assert.deepEqual(await hub.send(delivery(peer.url())), { ...stopping, untried: true });
  await eventually(() => peer.open() === 0);
});
