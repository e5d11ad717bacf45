import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';

const ADDRESS = '2606:4700:4700::1111';
const NEIGHBOR = '2606:4700:4700:1::2';
const PER_ADDRESS = 1_000;

forEachEngine((engine) => {
  test('names at one address have at most 1,000 subscriptions, whatever their hosts', async (context) => {
    let address = ADDRESS;
    const test = await openTestHub(context, engine, { maxSubscriptions: 10_000 }, (send) => {
      return (exchange) => send({ ...exchange, connected: () => exchange.connected?.(address) });
    });
    const { callbacks, news, pass, store, subscribe } = test;
    const subscribed = async () => {
      const found = await store.db.selectFrom('subscription').select(['callback', 'network']).execute(); // oxfmt-ignore
      return found.filter(({ callback }) => callback.startsWith(callbacks.url('/')));
    };
    const rows = Array.from({ length: PER_ADDRESS - 1 }, (_, index) => ({
      topic_id: 1,
      callback: `https://${index}.evil.example/`,
      host: `${index}.evil.example`,
      network: '2606:4700:4700',
      expires_at: Date.parse('2026-07-01T00:00:00Z'),
      acknowledged: 1,
    }));
    await store.db.insertInto('subscription').values(rows).execute();
    await subscribe('/last');
    assert.deepEqual((await subscribed()).map(({ network }) => network), ['2606:4700:4700']); // oxfmt-ignore
    address = NEIGHBOR;
    await subscribe('/refused');
    await pass(5);
    assert.equal((await subscribed()).length, 1);
    const denial = new URL(callbacks.requests.at(-1)!.path, 'https://x').searchParams;
    assert.equal(denial.get('hub.mode'), 'denied');
    assert.match(denial.get('hub.reason')!, /address of the callback has as many subscriptions/);

    await subscribe('/last'); // a renewal needs no room
    assert.equal((await subscribed()).length, 1);
    address = '8.8.8.8';
    await subscribe('/elsewhere');
    address = '127.0.0.1'; // the operator's own
    for (const path of ['/own/1', '/own/2']) await subscribe(path);
    assert.deepEqual((await subscribed()).map(({ network }) => network).toSorted(), [
      '',
      '',
      '2606:4700:4700',
      '8.8.8.8',
    ]);
    assert.ok(news().every((line) => line !== 'GET denied /elsewhere'));
  });
});
