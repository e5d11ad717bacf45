import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { dnsLookup } from '../../sidecar/hub/outbound/connections.ts';
import { Outbound } from '../../sidecar/hub/outbound/outbound.ts';
import { startCallbacks } from '../support/callback-server.ts';
import { forEachEngine, type Engine } from '../support/engines.ts';
import { LOOPBACK, openTestHub } from '../support/hub.ts';
import { startNameServer } from '../support/name-server.ts';
import { testCa } from '../support/test-ca.ts';
import { TOPICS } from '../support/topic-edition.ts';

const REFUSING = Array.from({ length: 12 }, (_, index) => `refusing${index}.example`);
const NAMES = ['good.example', 'failing.example', ...REFUSING];
/** Shorter than the ten seconds of a hub, so that the test is. */
const PATIENCE_MS = 500;

/** A hub that resolves names as a zone says, and subscribers that were verified. */
async function withNames(
  context: TestContext,
  engine: Engine,
  names: readonly string[],
  failure: 'fails' | null = 'fails',
) {
  const zone: Record<string, string[] | 'fails' | null> = {};
  for (const name of NAMES) zone[name] = ['127.0.0.1'];
  const { address } = await startNameServer(context, zone);
  const ca = testCa();
  const lookup = dnsLookup([address]);
  const posts: string[] = [];
  /** Resolves the name again each time. */
  const send: Outbound['send'] = async (exchange) => {
    if (exchange.method === 'POST') posts.push(new URL(exchange.url).hostname);
    const outbound = new Outbound({ allow: LOOPBACK, ca: ca.ca, lookup });
    const patience = failure === null ? { patienceMs: PATIENCE_MS } : {};
    const outcome = await outbound.send({ ...exchange, ...patience });
    outbound.close();
    return outcome;
  };
  const hub = await openTestHub(context, engine, { outbound: { send, close: () => {} } });
  const [staying, leaving] = [
    await startCallbacks(ca, { hostnames: NAMES }),
    await startCallbacks(ca, { hostnames: NAMES }),
  ];
  context.after(() => staying.close());
  for (const name of names) {
    const { port } = new URL((REFUSING.includes(name) ? leaving : staying).url());
    const callback = `https://${name}:${port}/`;
    await hub.send({ 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom, 'hub.callback': callback }); // oxfmt-ignore
    await hub.pass(1);
  }
  const hosts = async () => {
    const found = await hub.store.db.selectFrom('subscription').select('host').execute();
    return found.map(({ host }) => host).toSorted();
  };
  assert.deepEqual(await hosts(), names.toSorted());
  await leaving.close();
  zone['failing.example'] = failure;
  return { ...hub, hosts, posts };
}

forEachEngine((engine) => {
  for (const [what, failure] of [
    ['fails', 'fails'],
    ['says nothing', null],
  ] as const) {
    test(`a name whose server ${what} is gone after three tries`, async (context) => {
      const names = ['failing.example'];
      const { change, hosts, pass, posts } = await withNames(context, engine, names, failure);
      await change('the second');
      for (const seconds of [60, 600]) await pass(seconds);
      assert.deepEqual(await hosts(), []);
      assert.equal(posts.length, 3);
    });
  }

  test('twelve closed ports and a failing name beside a good host are gone, and it stays', async (context) => {
    const { change, hosts, pass } = await withNames(context, engine, NAMES);
    await change('the second');
    // Three failures count, and at most three do not.
    for (const seconds of [60, 600, 600, 600, 600]) await pass(seconds);
    assert.deepEqual(await hosts(), ['good.example']);
  });
});
