import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { OutboundOptions } from '../../sidecar/hub/outbound/outbound.ts';
import { Connection, connectorTo } from '../../sidecar/hub/outbound/connections.ts';
import { callbacksFor } from '../support/callback-server.ts';
import { openOutbound } from '../support/hub.ts';
import { hostileCallbacks, UNFIT_CALLBACKS } from '../support/hostile-callbacks.ts';
import { listen } from '../support/listeners.ts';
import { testCa } from '../support/test-ca.ts';

const ca = testCa();

const outbound = (context: TestContext, options: Partial<OutboundOptions> = {}) =>
  openOutbound(context, { allow: [], lookup: async () => assert.fail('asked'), ...options });

const get = (url: string) => ({ method: 'GET', url, headers: {}, maxBody: 1024 }) as const;

const LEADS_INWARD = {
  kind: 'failure',
  reason: 'the name leads to a private or reserved address',
  unreached: true,
};

test('connects to nobody for callbacks that are hostile by their text', async (context) => {
  const inward = await listen(context, (socket) => socket.destroy());
  const hub = outbound(context);
  const callbacks = [...hostileCallbacks(inward.port), ...UNFIT_CALLBACKS];
  assert.ok(callbacks.length >= 40);
  for (const [url, issue] of callbacks) {
    const outcome = await hub.send(get(url));
    assert.deepEqual(outcome, { kind: 'failure', reason: `the callback ${issue}` }, url);
  }
  assert.equal(inward.opened(), 0);
});

test('would connect to some of them, were they allowed', async (context) => {
  const inward = await listen(context, (socket) => socket.destroy());
  const hub = outbound(context, { allow: ['0.0.0.0/0', '::/0'] });
  const spellings = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '0.0.0.0'];
  for (const host of spellings) await hub.send(get(`https://${host}:${inward.port}/`));
  assert.equal(inward.opened(), spellings.length);
});

/** Each kind of address; tests of callbacks show every range. */
const INWARD =
  '127.0.0.1 0.0.0.0 169.254.169.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 fe80::1%lo nowhere';
/** Globally reachable, so allowed; nothing is ever sent there. */
const OUTWARD = '8.8.8.8';

for (const address of ['', ...INWARD.split(' ')]) {
  test(`connects to nobody for a name that leads to "${address}"`, async (context) => {
    const inward = await listen(context, (socket) => socket.destroy());
    const answers = [[address], [OUTWARD, address], [address, OUTWARD]];
    const hub = outbound(context, { lookup: async () => answers.pop()! });
    while (answers.length > 0) {
      const outcome = await hub.send(get(`https://peer.example:${inward.port}/`));
      assert.deepEqual(outcome, LEADS_INWARD);
    }
    assert.equal(inward.opened(), 0);
  });
}

test('a name that leads nowhere fails', async (context) => {
  const hub = outbound(context, { lookup: async () => [] });
  assert.deepEqual(await hub.send(get('https://peer.example/')), {
    kind: 'failure',
    reason: 'the name does not resolve',
    unreached: true,
  });
});

test('a name is asked for once a connection, and leads where it led when it was checked', async (context) => {
  const inward = await listen(context, () => {}, { address: '127.0.0.2' });
  const peer = await callbacksFor(context, { hostnames: ['peer.example'] });
  const answers = ['127.0.0.1', '127.0.0.2'];
  let asked = 0;
  const hub = outbound(context, {
    allow: ['127.0.0.1/32'],
    lookup: async () => [answers[asked++]!],
  });
  const { port } = new URL(peer.url());

  for (const path of ['/first', '/kept-alive']) {
    const outcome = await hub.send(get(`https://peer.example:${port}${path}`));
    assert.equal(outcome.kind, 'response');
    assert.equal(asked, 1);
  }
  // The name resolves to a private address for the next connection.
  const rebound = await hub.send(get(`https://peer.example:${inward.port}/`));
  assert.deepEqual(rebound, LEADS_INWARD);
  assert.equal(asked, 2);
  assert.equal(inward.opened(), 0);
  assert.equal(peer.opened(), 1);
});

test('a connection that ended elsewhere is closed before a byte of the request', async (context) => {
  let received = 0;
  const receive = (socket: Socket) => {
    socket.on('data', () => {
      received++;
      socket.destroy();
    });
  };
  const inward = await listen(context, receive, { pair: ca.issue(['peer.example']) });
  let checks = 0;
  const rule = { permits: () => checks++ === 0 };
  const connect = connectorTo(rule, async () => ['127.0.0.1'], ca.ca);
  const connection = new Connection(`peer.example:${inward.port}`, connect, () => {});
  const error = await new Promise<Error>((resolve) => {
    const handler = { onRequestStart() {}, onResponseError: (_: unknown, e: Error) => resolve(e) };
    connection.client.dispatch({ method: 'GET', path: '/' }, handler);
  });
  assert.equal(error.message, 'REFUSED');
  assert.deepEqual({ checks, received }, { checks: 2, received: 0 });
});

test('a redirect that leads inward is an answer like others', async (context) => {
  const inward = await listen(context, (socket) => socket.destroy());
  const peer = await callbacksFor(context);
  const hub = outbound(context, { allow: ['127.0.0.0/8'] });
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `https://127.0.0.1:${inward.port}/`;
    peer.handle((_, response) =>
      response.writeHead(status, { location, refresh: `0;${location}` }).end(),
    );
    for (const method of ['GET', 'POST'] as const) {
      const outcome = await hub.send({ ...get(peer.url()), method });
      assert.ok(outcome.kind === 'response');
      assert.equal(outcome.status, status);
    }
  }
  assert.equal(peer.requests.length, 10);
  assert.equal(inward.opened(), 0);
});
