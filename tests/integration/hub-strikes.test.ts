import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsLookup } from '../../sidecar/hub/outbound/connections.ts';
import { Outbound } from '../../sidecar/hub/outbound/outbound.ts';
import { startCallbacks } from '../support/callback-server.ts';
import { forEachEngine } from '../support/engines.ts';
import { LOOPBACK, openTestHub } from '../support/hub.ts';
import { startNameServer } from '../support/name-server.ts';
import { testCa } from '../support/test-ca.ts';
import { TOPICS } from '../support/topic-edition.ts';

const NAME = 'failing.example';

forEachEngine((engine) => {
  test('a name whose server fails is gone after three tries', async (context) => {
    const zone: Record<string, string[] | 'fails'> = { [NAME]: ['127.0.0.1'] };
    const { address } = await startNameServer(context, zone);
    const ca = testCa();
    const lookup = dnsLookup([address]);
    let posts = 0;
    /** Resolves the name again each time. */
    const send: Outbound['send'] = async (exchange) => {
      if (exchange.method === 'POST') posts++;
      const outbound = new Outbound({ allow: LOOPBACK, ca: ca.ca, lookup });
      const outcome = await outbound.send(exchange);
      outbound.close();
      return outcome;
    };
    const outbound = { send, close: () => {} };
    const { change, pass, send: ask, store } = await openTestHub(context, engine, { outbound });
    const callbacks = await startCallbacks(ca, { hostnames: [NAME] });
    context.after(() => callbacks.close());
    const callback = callbacks.url().replace('127.0.0.1', NAME);
    await ask({ 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom, 'hub.callback': callback });
    await pass(1);
    const subscribed = () => store.db.selectFrom('subscription').select('host').execute();
    assert.equal((await subscribed()).length, 1);
    zone[NAME] = 'fails';
    await change('the second');
    for (const seconds of [60, 600]) await pass(seconds);
    assert.deepEqual(await subscribed(), []);
    assert.equal(posts, 3);
  });
});
