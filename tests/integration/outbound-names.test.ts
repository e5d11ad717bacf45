import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { dnsLookup } from '../../sidecar/hub/outbound/connections.ts';
import { callbacksFor } from '../support/callback-server.ts';
import { openOutbound } from '../support/hub.ts';
import { startNameServer } from '../support/name-server.ts';

const ZONE = {
  'both.example': ['127.0.0.1', '127.0.0.2', 'fd00:0:0:0:0:0:0:1'],
  'four.example': ['127.0.0.1'],
  'six.example': ['fd00:0:0:0:0:0:0:1'],
  'empty.example': [],
};

async function lookupIn(context: TestContext, zone: Parameters<typeof startNameServer>[1]) {
  const { address, asked } = await startNameServer(context, zone);
  return { lookup: dnsLookup([address]), asked };
}

test('a name leads to all its addresses, of both kinds', async (context) => {
  const { lookup } = await lookupIn(context, ZONE);
  assert.deepEqual(await lookup('both.example'), ['127.0.0.1', '127.0.0.2', 'fd00::1']);
  assert.deepEqual(await lookup('four.example'), ['127.0.0.1']);
  assert.deepEqual(await lookup('six.example'), ['fd00::1']);
});

for (const name of ['empty.example', 'missing.example']) {
  test(`${name} leads nowhere`, async (context) => {
    const { lookup } = await lookupIn(context, ZONE);
    await assert.rejects(lookup(name), { code: /^(ENODATA|ENOTFOUND)$/ });
  });
}

test('the name localhost is never looked up', async (context) => {
  const { lookup, asked } = await lookupIn(context, ZONE);
  assert.deepEqual(await lookup('localhost'), ['127.0.0.1']);
  assert.deepEqual(await lookup('callback.localhost'), ['127.0.0.1']);
  assert.deepEqual(asked, []);
});

test('names without an answer hold up no others, and end by the deadline', async (context) => {
  const slow = Array.from({ length: 12 }, (_, at) => `slow-${at}.example`);
  const silence = Object.fromEntries(slow.map((name) => [name, null]));
  const { lookup, asked } = await lookupIn(context, { ...silence, 'peer.example': ['127.0.0.1'] });
  const peer = await callbacksFor(context, { hostnames: ['peer.example'] });
  const hub = openOutbound(context, { lookup });
  const { port } = new URL(peer.url());
  const get = (host: string) =>
    hub.send({ method: 'GET', url: `https://${host}:${port}/`, headers: {}, maxBody: 64 });

  context.mock.timers.enable({ apis: ['setTimeout'] });
  let late = 0;
  const slowOnes = slow.map((name) => get(name).finally(() => late++));
  assert.equal((await get('peer.example')).kind, 'response');
  assert.equal(late, 0);
  context.mock.timers.tick(10_000);
  for (const outcome of await Promise.all(slowOnes)) {
    const reason = 'there was no answer in time';
    assert.deepEqual(outcome, { kind: 'failure', reason, unreached: true });
  }
  for (const name of slow) assert.ok(asked.includes(name));
});
