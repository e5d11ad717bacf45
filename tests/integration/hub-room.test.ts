import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { HubFullError, LIMITS } from '../../sidecar/hub/store/room.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub, SECRETS } from '../support/hub.ts';
import { TOPICS } from '../support/topic-edition.ts';

const DAY_MS = 86_400_000;

forEachEngine((engine) => {
  /** Requests to a hub that does nothing itself. */
  async function asking(context: TestContext, most: number, limits?: typeof LIMITS) {
    const { hub, store } = await openTestHub(context, engine);
    await hub.drain();
    const requests = new Requests(store, SECRETS, { confirm: async () => {} }, most, limits);
    const ask = (callback: string, client: string) => {
      const wish = { mode: 'subscribe' as const, secret: null, leaseSeconds: 300 };
      return requests.add({ ...wish, topicUrl: TOPICS.atom, callback }, client);
    };
    const confirm = async () => {
      const ids = (await requests.due(10_000)).map(({ id }) => id);
      for (const taken of await requests.take(ids)) {
        if (taken.mode === 'denied') continue;
        await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
      }
    };
    const subscribed = async () => {
      const found = await store.db.selectFrom('subscription').select('callback').execute();
      return found.map(({ callback }) => callback).toSorted();
    };
    const denials = async () => {
      const found = await store.db.selectFrom('intent').select('reason').execute();
      return found.map(({ reason }) => reason);
    };
    /** Subscriptions that are there already. */
    const insert = (hosts: readonly string[], domain: string) => {
      const expires_at = Date.parse('2026-06-01T00:00:00Z') + DAY_MS;
      const rows = hosts.map((host, index) => {
        const callback = `https://${host}/there/${index}`;
        return { topic_id: 1, callback, host, domain, expires_at, acknowledged: 1 };
      });
      return store.db.insertInto('subscription').values(rows).execute();
    };
    return { ask, confirm, denials, insert, requests, subscribed };
  }

  test('a host and a domain have only so many, also of those that asked when there was room', async (context) => {
    const { ask, confirm, denials, insert, subscribed } = await asking(context, 100_000);
    const { perHost, perDomain } = LIMITS;
    const host = Array.from({ length: perHost - 1 }, () => 'one.test');
    await insert(host, 'one.test');
    const names = Array.from({ length: perDomain - 1 }, (_, index) => `${index}.wild.test`);
    await insert(names, 'wild.test');
    const before = (await subscribed()).length;
    for (const path of ['a', 'b']) {
      await ask(`https://one.test/${path}`, '192.0.2.1');
      await ask(`https://${path}.wild.test/`, '192.0.2.1');
    }
    await confirm();
    assert.equal((await subscribed()).length, before + 2);
    assert.deepEqual((await denials()).toSorted(), [
      'the domain of the callback has as many subscriptions as it may',
      'the host of the callback has as many subscriptions as it may',
    ]);
    const noRoom = { name: 'HubFullError', isBrief: false };
    await assert.rejects(ask('https://one.test/c', '192.0.2.2'), noRoom);
    await assert.rejects(ask('https://c.wild.test/', '192.0.2.2'), noRoom);
    await ask('https://one.test/a', '192.0.2.2'); // a renewal needs no room
    await ask('https://two.test/', '192.0.2.2');
    await ask('https://shop.workers.dev/', '192.0.2.2');
  });

  test('hosts at private addresses are the operator’s, and have no limits of their own', async (context) => {
    const limits = { ...LIMITS, perHost: 1, perDomain: 1, waitingPerClient: 1 };
    const { ask, confirm, subscribed } = await asking(context, 3, limits);
    for (const path of ['a', 'b', 'c']) await ask(`https://10.0.0.7/${path}`, '10.0.0.7');
    await confirm();
    assert.equal((await subscribed()).length, 3);
    await assert.rejects(
      ask('https://10.0.0.7/d', '10.0.0.7'),
      /as many subscriptions as it takes/,
    );
  });

  test('a network can have only so many waiting, and denials do not count', async (context) => {
    const limits = { ...LIMITS, waiting: 6, waitingPerClient: 2 };
    const { ask, requests } = await asking(context, 1000, limits);
    for (const path of ['a', 'b']) await ask(`https://one.test/${path}`, '192.0.2.1');
    const brief = { name: 'HubFullError', isBrief: true };
    await assert.rejects(ask('https://one.test/c', '192.0.2.1'), brief);
    await ask('https://one.test/a', '192.0.2.1');
    const ids = (await requests.due(10)).map(({ id }) => id);
    for (const taken of await requests.take(ids)) {
      const unreachable = { kind: 'none', reason: 'nobody there' } as const;
      await requests.settle({ ...taken, attempts: 9 }, unreachable);
    }
    for (const path of ['d', 'e']) await ask(`https://one.test/${path}`, '192.0.2.1');
  });

  test('when too many wait, the first of a network displaces the newest of the one that has most', async (context) => {
    const limits = { ...LIMITS, waiting: 4, waitingPerClient: 3 };
    const { ask, confirm, subscribed } = await asking(context, 1000, limits);
    for (const path of ['a', 'b', 'c']) await ask(`https://flood.test/${path}`, '192.0.2.1');
    await ask('https://one.test/', '192.0.2.2');
    await ask('https://two.test/', '192.0.2.3');
    await ask('https://three.test/', '192.0.2.4');
    await assert.rejects(ask('https://four.test/', '192.0.2.5'), HubFullError);
    await confirm();
    assert.deepEqual(await subscribed(), [
      'https://flood.test/a',
      'https://one.test/',
      'https://three.test/',
      'https://two.test/',
    ]);
  });

  test('each client network’s first request goes before any network’s second', async (context) => {
    const { ask, requests } = await asking(context, 1000);
    for (let one = 0; one < 50; one++) await ask(`https://a.test/${one}`, '2001:db8:1');
    await ask('https://honest.test/', '192.0.2.7');
    const clients = (await requests.due(10)).map(({ client }) => client);
    assert.ok(clients.slice(0, 2).includes('192.0.2.7'), clients.join());
  });

  test('a hub that is full takes renewals and leaves, but nobody new', async (context) => {
    const { subscribe } = await openTestHub(context, engine, { maxSubscriptions: 2 });
    await subscribe('/a');
    await subscribe('/b');
    await assert.rejects(subscribe('/c'), HubFullError);
    await subscribe('/a');
    await subscribe('/a', { 'hub.mode': 'unsubscribe' });
    await subscribe('/c');
  });
});
