import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Deliveries, type Settled } from '../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { HubFullError, LIMITS } from '../../sidecar/hub/store/room.ts';
import { Secrets } from '../../sidecar/hub/store/secrets.ts';
import { createTables, PARTS } from '../../sidecar/hub/store/tables.ts';
import { subscriber } from '../support/callback-server.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub, SECRETS } from '../support/hub.ts';
import { TOPICS } from '../support/topic-edition.ts';

// What the hub asks of a database, on both.

const HOUR_MS = 3_600_000;
const ALWAYS = {
  led: new Set(Array.from({ length: PARTS }, (_, part) => part)),
  leader: 0,
  confirm: async (_: unknown, parts: Iterable<number>) => new Set(parts),
};
const START = Date.parse('2026-06-01T00:00:00Z');
const VERSION = 3;
const topic = { url: TOPICS.atom, etag: '"the third"' };
const DELIVERED = { kind: 'delivered' } as const;

forEachEngine((engine) => {
  /** A store without a hub: a topic of three versions, and requests that are confirmed by hand. */
  async function openStore(context: TestContext, max = 100_000, limits = LIMITS) {
    const clock = { now: START };
    const store = await engine.open(() => clock.now);
    context.after(() => store.close());
    await createTables(store);
    const first = { ...topic, version: VERSION };
    await store.db.insertInto('topic').values(first).execute();
    const deliveries = new Deliveries(store, SECRETS, ALWAYS);
    const requests = new Requests(store, SECRETS, ALWAYS, max, limits);
    const due = async (): Promise<number[]> => {
      const ids: number[] = [];
      for await (const page of deliveries.due(topic)) {
        assert.ok(page.length <= 500);
        ids.push(...page.map(({ id }) => id));
      }
      return ids;
    };
    const settle = (delivery: Settled['delivery'], verdict: Settled['verdict']) =>
      deliveries.settle([{ delivery, verdict, answered: true }]);
    const mode = 'subscribe' as const;
    const wish = { mode, secret: null, leaseSeconds: 300, topicUrl: TOPICS.atom };
    const ask = (callback: string, client = '', changes = {}) =>
      requests.add({ ...wish, callback, ...changes }, client);
    const confirm = async () => {
      for (const { id } of await requests.due(10_000)) {
        const taken = await requests.take(id);
        if (!taken || taken.mode === 'denied') continue;
        await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
      }
    };
    const rowsOf = (table: 'subscription' | 'intent') =>
      store.db.selectFrom(table).selectAll().orderBy('id').execute();
    const subscribed = async () =>
      (await rowsOf('subscription')).map(({ callback }) => callback).toSorted();
    /** Adds subscriptions, each behind by some versions. */
    const insert = (behind: readonly number[], changes: object[] = behind.map(() => ({}))) => {
      const rows = changes.map((change, index) => ({
        topic_id: 1,
        callback: `https://a.example/${index}`,
        host: 'a.example',
        domain: '',
        expires_at: START + HOUR_MS,
        acknowledged: VERSION - (behind[index] ?? 0),
        ...change,
      }));
      return store.db.insertInto('subscription').values(rows).execute();
    };
    const doing = { ask, confirm, due, insert, settle };
    return { ...doing, clock, deliveries, requests, rowsOf, store, subscribed };
  }

  test('a debt is found once, in pages, whatever version a subscriber has', async (context) => {
    const { due, insert, rowsOf } = await openStore(context);
    await insert(Array.from({ length: 1200 }, (_, index) => index % 4));
    const owed = (await rowsOf('subscription')).filter(({ acknowledged }) => acknowledged < 3);
    const ids = owed.map(({ id }) => id);
    assert.deepEqual(
      (await due()).toSorted((a, b) => a - b),
      ids,
    );
  });

  test('a subscriber of a topic that was never published is owed its first version', async (context) => {
    const { ask, confirm, rowsOf } = await openStore(context);
    await ask('https://a.test/', '', { topicUrl: TOPICS.reviews, etag: '"some"' });
    await confirm();
    assert.equal((await rowsOf('subscription'))[0]!.acknowledged, 0);
  });

  test('a host is one, with a final dot or without', async (context) => {
    const { ask, rowsOf } = await openStore(context);
    for (const host of ['a.test', 'A.test.', 'a.test:8443']) await ask(`https://${host}/`);
    const hosts = (await rowsOf('intent')).map(({ host }) => host);
    assert.deepEqual(hosts, ['a.test', 'a.test', 'a.test']);
  });

  test('a delivery from before a renewal changes nothing, whatever became of it', async (context) => {
    const { ask, confirm, deliveries, due, rowsOf, settle } = await openStore(context);
    const callbacks = ['delivered', 'failed', 'removed'].map((name) => `https://a.test/${name}`);
    for (const callback of callbacks) await ask(callback, '', { secret: 'old', etag: '"older"' });
    await confirm();
    const taken = await deliveries.take(await due());
    assert.equal(taken.map(({ secret }) => secret).join(), 'old,old,old');
    for (const callback of callbacks) await ask(callback, '', { secret: 'new' });
    await confirm();
    const renewed = await rowsOf('subscription');
    await settle(taken[0]!, DELIVERED);
    await settle(taken[1]!, { kind: 'retry', failures: 1, strikeMs: 1, delayMs: 1 });
    await settle(taken[2]!, { kind: 'removed', reason: 'three failures' });
    assert.deepEqual(await rowsOf('subscription'), renewed);
    assert.deepEqual(await rowsOf('intent'), []);
    for (const delivery of await deliveries.take(await due())) {
      assert.equal(delivery.secret, 'new');
      await settle(delivery, DELIVERED);
    }
    assert.deepEqual(await due(), []);
  });

  test('a request to leave is kept though the one to enter is settled at that moment', async (context) => {
    const { ask, confirm, subscribed } = await openStore(context);
    const all = Array.from({ length: 60 }, (_, one) => `https://10.0.0.1/${one}`);
    const askAll = async (mode: string) => {
      for (const callback of all) await ask(callback, '', { mode });
    };
    await askAll('subscribe');
    await Promise.all([confirm(), askAll('unsubscribe')]);
    await confirm(); // those whose request to enter came in between
    await confirm();
    assert.deepEqual(await subscribed(), []);
  });

  test('the pace of a host is known after a restart', async (context) => {
    const { deliveries, due, insert, store } = await openStore(context);
    await insert([1, 1]);
    const [slow, prompt] = await deliveries.take(await due());
    await deliveries.settle([
      { delivery: slow!, verdict: DELIVERED, pace: 'slow', answered: true },
      { delivery: prompt!, verdict: DELIVERED, pace: 'prompt', answered: true },
    ]);
    await store.db.updateTable('topic').set({ version: 4 }).execute();
    const paces: string[] = [];
    for await (const page of deliveries.due(topic)) paces.push(...page.map(({ pace }) => pace));
    assert.deepEqual(paces, ['slow', 'prompt']);
  });

  test('a lease that ended takes no room; its row goes two days later', async (context) => {
    const opened = await openStore(context, 1);
    const { ask, clock, confirm, deliveries, due, insert, rowsOf, subscribed } = opened;
    await insert([1]);
    await assert.rejects(ask('https://b.example/'), HubFullError);
    clock.now += HOUR_MS;
    assert.deepEqual(await due(), []);
    await ask('https://a.example/0');
    await confirm();
    assert.equal((await rowsOf('subscription'))[0]!.acknowledged, 3, 'subscribed anew');
    clock.now += 300_000 + 48 * HOUR_MS - 1;
    await deliveries.removeDead();
    assert.equal((await subscribed()).length, 1);
    clock.now += 1;
    await deliveries.removeDead();
    assert.deepEqual(await subscribed(), []);
  });

  test('a clock that was 26 hours ahead delays nothing and ends nothing once it is right', async (context) => {
    const clock = { ahead: 0 };
    const { callbacks, change, hub, news, subscribe } = await openTestHub(context, {
      engine: { open: (now) => engine.open(() => now!() + clock.ahead) },
    });
    for (const path of ['/well', '/ill']) await subscribe(path);
    await subscribe('/short', { 'hub.lease_seconds': '86400' });
    clock.ahead = 26 * HOUR_MS;
    callbacks.handle(({ path }, response) => {
      if (path.startsWith('/starting')) response.destroy();
      else response.writeHead(path === '/ill' ? 500 : 204).end();
    });
    await subscribe('/starting');
    news();
    await change('the second');
    assert.deepEqual(news().toSorted(), ['POST /ill', 'POST /well'], 'the lease of one is over');
    clock.ahead = 0;
    callbacks.handle(subscriber);
    await hub.tick();
    await hub.idle();
    const late = ['GET subscribe /starting', 'POST /ill', 'POST /short', 'POST /starting'];
    assert.deepEqual(news().toSorted(), late);
    await change('the third');
    const all = ['POST /ill', 'POST /short', 'POST /starting', 'POST /well'];
    assert.deepEqual(news().toSorted(), all);
  });

  test('a secret is in the store only as ciphertext, under the first of its keys', async (context) => {
    const { ask, confirm, rowsOf, store } = await openStore(context);
    const secret = 'open sesame';
    await ask('https://a.example/', '', { secret });
    await confirm();
    await ask('https://b.example/', '', { secret });
    const kept = [...(await rowsOf('subscription')), ...(await rowsOf('intent'))];
    assert.equal(kept.length, 2);
    assert.doesNotMatch(JSON.stringify(kept), /sesame/);
    assert.notEqual(kept[0]!.sealed_secret, kept[1]!.sealed_secret);
    const other = new Deliveries(store, new Secrets('another key'), ALWAYS);
    await assert.rejects(other.checkKey(), /HUB_KEY is not the key/);
    const both = new Secrets('a new key,the key of the tests');
    for (const { sealed_secret: sealed } of kept) assert.equal(both.open(sealed), secret);
    assert.throws(() => SECRETS.open(both.seal('x')), /HUB_KEY is not the key/);
  });

  test('a host and a domain have only so many, also of those that asked when there was room', async (context) => {
    const { ask, confirm, insert, rowsOf, subscribed } = await openStore(context);
    const { perHost, perDomain } = LIMITS;
    const ofHost = Array.from({ length: perHost - 1 }, () => ({ host: 'one.test' }));
    const ofDomain = Array.from({ length: perDomain - 1 }, () => ({ domain: 'wild.test' }));
    await insert([], [...ofHost, ...ofDomain]);
    const before = (await subscribed()).length;
    for (const path of ['a', 'b']) {
      await ask(`https://one.test/${path}`, '192.0.2.1');
      await ask(`https://${path}.wild.test/`, '192.0.2.1');
    }
    await confirm();
    assert.equal((await subscribed()).length, before + 2);
    const reasons = (await rowsOf('intent')).map(({ reason }) => reason).toSorted();
    assert.match(reasons[0], /^the domain of the callback has as many/);
    assert.match(reasons[1], /^the host of the callback has as many/);
    await assert.rejects(ask('https://one.test/c', '192.0.2.2'), { isBrief: false });
  });

  test('hosts at private addresses are the operator’s, and have no limits of their own', async (context) => {
    const limits = { ...LIMITS, perHost: 1, perDomain: 1, waitingPerClient: 1 };
    const { ask, confirm, subscribed } = await openStore(context, 3, limits);
    for (const path of ['a', 'b', 'c']) await ask(`https://10.0.0.7/${path}`, '10.0.0.7');
    await confirm();
    assert.equal((await subscribed()).length, 3);
    await assert.rejects(ask('https://10.0.0.7/d'), /the hub has as many subscriptions as it may/);
    await ask('https://10.0.0.7/a');
    await ask('https://10.0.0.7/a', '', { mode: 'unsubscribe' });
    await confirm();
    await confirm();
    await ask('https://10.0.0.7/d');
  });

  test('a network can have only so many waiting, and denials do not count', async (context) => {
    const limits = { ...LIMITS, waitingPerClient: 2 };
    const { ask, store } = await openStore(context, 1000, limits);
    for (const path of ['a', 'b']) await ask(`https://one.test/${path}`, '192.0.2.1');
    await assert.rejects(ask('https://one.test/c', '192.0.2.1'), { isBrief: true });
    await ask('https://one.test/a', '192.0.2.1');
    await store.db.updateTable('intent').set({ mode: 'denied' }).execute();
    for (const path of ['d', 'e']) await ask(`https://one.test/${path}`, '192.0.2.1');
  });

  test('when too many wait, the first of a network displaces the newest of the one that has most', async (context) => {
    const limits = { ...LIMITS, waiting: 4, waitingPerClient: 3 };
    const { ask, confirm, subscribed } = await openStore(context, 1000, limits);
    for (const path of ['a', 'b', 'c']) await ask(`https://flood.test/${path}`, '192.0.2.1');
    const names = ['one', 'two', 'three'];
    for (const name of names) await ask(`https://${name}.test/`, `of ${name}`);
    await assert.rejects(ask('https://four.test/', '192.0.2.5'), HubFullError);
    await confirm();
    const left = (await subscribed()).map((callback) => callback.replace('https://', ''));
    assert.deepEqual(left, ['flood.test/a', 'one.test/', 'three.test/', 'two.test/']);
  });

  test('each client network’s first request goes before any network’s second', async (context) => {
    const { ask, requests } = await openStore(context);
    for (let one = 0; one < 50; one++) await ask(`https://a.test/${one}`, '2001:db8:1');
    await ask('https://honest.test/', '192.0.2.7');
    const clients = (await requests.due(10)).map(({ client }) => client);
    assert.ok(clients.slice(0, 2).includes('192.0.2.7'), clients.join());
  });
});
