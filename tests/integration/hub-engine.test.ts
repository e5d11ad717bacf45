import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { HubFullError } from '../../sidecar/hub/store/hub-full-error.ts';
import { Deliveries, type ClaimedDelivery } from '../../sidecar/hub/store/deliveries.ts';
import { Pairs } from '../../sidecar/hub/store/pairs.ts';
import { Topics } from '../../sidecar/hub/store/topics.ts';
import { topicFiles } from '../../sidecar/hub/topics.ts';
import { eventually } from '../support/eventually.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const CLAIM = { limit: 100, perHost: 100, busyHosts: [], claimMs: 30_000 };

forEachEngine((engine) => {
  /** A hub with subscribers that are owed a version, and another replica's view of the store. */
  async function owing(context: TestContext, subscribers: number) {
    const test = await openTestHub(context, engine);
    for (let count = 0; count < subscribers; count++) await test.subscribe(`/${count}`);
    const deliveries = new Deliveries(test.store);
    const topics = new Topics(test.store);
    await test.hub.drain(); // what comes now is done by hand
    const publish = async (text: string) => {
      for (const file of topicFiles(topicEdition(text))) {
        await topics.offer(file, { fresh: true, graceMs: 0 });
      }
    };
    return { ...test, deliveries, publish };
  }

  test('what one replica claimed no other can', async (context) => {
    const { deliveries, publish } = await owing(context, 6);
    await publish('the second');
    const claims = await Promise.all([
      deliveries.claim({ ...CLAIM, limit: 2 }),
      deliveries.claim({ ...CLAIM, limit: 2 }),
      deliveries.claim({ ...CLAIM, limit: 2 }),
    ]);
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const rest = await deliveries.claim(CLAIM);
    assert.equal(ids.length + rest.length, 6);
    assert.deepEqual(await deliveries.claim(CLAIM), []);
  });

  test('a claim that ended is another replica’s, and the first may not settle it', async (context) => {
    const { deliveries, publish, pass } = await owing(context, 1);
    const hold = ({ id, claim }: ClaimedDelivery) => deliveries.hold(claim, [id], 30_000);
    await publish('the second');
    const [first] = await deliveries.claim(CLAIM);
    await pass(29);
    assert.deepEqual(await deliveries.claim(CLAIM), []);
    assert.deepEqual(await hold(first!), [first!.id]);
    await pass(29);
    assert.deepEqual(await deliveries.claim(CLAIM), []);
    await pass(1);
    const [second] = await deliveries.claim(CLAIM);
    assert.equal(second!.id, first!.id);
    assert.deepEqual(await hold(first!), []);
    await deliveries.settle([{ delivery: first!, verdict: { kind: 'removed' } }]);
    await deliveries.settle([
      { delivery: first!, verdict: { kind: 'delivered', version: first!.version } },
    ]);
    assert.deepEqual(await hold(second!), [second!.id]);
  });

  test('a newer version waits for the delivery that is under way', async (context) => {
    const { deliveries, publish } = await owing(context, 1);
    await publish('the second');
    const [first] = await deliveries.claim(CLAIM);
    await publish('the third');
    assert.deepEqual(await deliveries.claim(CLAIM), []);
    await deliveries.settle([
      { delivery: first!, verdict: { kind: 'delivered', version: first!.version } },
    ]);
    const [next] = await deliveries.claim(CLAIM);
    assert.equal(next!.version, first!.version + 1);
  });

  test('what was released is due at once, and failed not once more', async (context) => {
    const { deliveries, publish } = await owing(context, 1);
    await publish('the second');
    const [first] = await deliveries.claim(CLAIM);
    await deliveries.settle([{ delivery: first!, verdict: { kind: 'released' } }]);
    const [again] = await deliveries.claim(CLAIM);
    assert.deepEqual([again!.id, again!.failures], [first!.id, 0]);
  });

  test('a busy host is passed over, and no host is given more than its share', async (context) => {
    const { deliveries, publish } = await owing(context, 6);
    await publish('the second');
    assert.deepEqual(await deliveries.claim({ ...CLAIM, busyHosts: ['127.0.0.1'] }), []);
    assert.equal((await deliveries.claim({ ...CLAIM, perHost: 4 })).length, 4);
  });

  test('whatever hosts and versions there are, each delivery is claimed once', async (context) => {
    const { deliveries, publish, store } = await owing(context, 0);
    await publish('the second');
    await publish('the third');
    const topics = await store.db.selectFrom('topic').select(['id', 'version']).execute();
    const hosts = ['a.example', 'b.example', 'c.example', 'd.example'];
    const rows = Array.from({ length: 120 }, (_, index) => {
      const { id, version } = topics[index % topics.length]!;
      const host = hosts[index % 7 === 0 ? index % hosts.length : 1]!;
      const behind = index % 4; // 0: it has the newest
      return {
        topic_id: id,
        callback: `https://${host}/${index}`,
        host,
        secret: null,
        expires_at: Date.now() + 3_600_000,
        acknowledged: version - behind,
        tried: version - behind,
        claim: null,
      };
    });
    await store.db.insertInto('subscription').values(rows).execute();
    const claimed: string[] = [];
    const busyHosts = ['b.example'];
    const options = { ...CLAIM, limit: 5, perHost: 2, busyHosts };
    for (let batch; (batch = await deliveries.claim(options)).length > 0;) {
      for (const host of hosts) assert.ok(batch.filter((one) => one.host === host).length <= 2);
      claimed.push(...batch.map(({ callback }) => callback));
    }
    assert.ok(claimed.every((callback) => !callback.includes('b.example')));
    const rest = { ...CLAIM, limit: 7 };
    for (let batch; (batch = await deliveries.claim(rest)).length > 0;) {
      claimed.push(...batch.map(({ callback }) => callback));
    }
    const owed = rows.filter((_, index) => index % 4 > 0).map(({ callback }) => callback);
    assert.deepEqual(claimed.toSorted(), owed.toSorted());
  });

  test('a request to leave is kept though the one to enter is settled at that moment', async (context) => {
    const { store, callbacks } = await owing(context, 0);
    const pairs = new Pairs(store);
    const wish = { secret: null, leaseSeconds: 300 };
    const callback = (count: number) => callbacks.url(`/${count}`);
    const ask = (mode: 'subscribe' | 'unsubscribe', count: number) =>
      pairs.request(TOPICS.atom, callback(count), { ...wish, mode }, 1000);
    const confirm = async () => {
      for (const intent of await pairs.claim(CLAIM)) await pairs.settle(intent, intent.claimedAt);
    };
    const count = 60;
    for (let one = 0; one < count; one++) await ask('subscribe', one);
    const leaving = async () => {
      for (let one = 0; one < count; one++) await ask('unsubscribe', one);
    };
    await Promise.all([confirm(), leaving()]);
    await confirm(); // those whose request to enter came in between
    await confirm();
    const left = await store.db.selectFrom('subscription').select('callback').execute();
    assert.deepEqual(left, []);
  });

  test('publishes, settlements, unsubscriptions and sweeps at once fail none of them', async (context) => {
    const { deliveries, publish, store, callbacks } = await owing(context, 0);
    const pairs = new Pairs(store);
    const wish = { mode: 'subscribe', secret: null, leaseSeconds: 300 } as const;
    for (let count = 0; count < 60; count++) {
      await pairs.request(TOPICS.atom, callbacks.url(`/${count}`), wish, 1000);
    }
    const confirm = async () => {
      for (const intent of await pairs.claim(CLAIM)) await pairs.settle(intent, intent.claimedAt);
    };
    await confirm();
    let version = 0;
    const publishing = async () => {
      for (let count = 0; count < 15; count++) await publish(`version ${version++}`);
    };
    const delivering = async () => {
      for (let count = 0; count < 25; count++) {
        const claimed = await deliveries.claim({ ...CLAIM, limit: 20 });
        await deliveries.settle(claimed.map(delivered));
      }
    };
    const leaving = async () => {
      for (let count = 0; count < 60; count += 2) {
        const leave = { ...wish, mode: 'unsubscribe' } as const;
        await pairs.request(TOPICS.atom, callbacks.url(`/${count}`), leave, 1000);
        await confirm();
      }
    };
    const sweeping = async () => {
      for (let count = 0; count < 20; count++) await deliveries.removeExpired();
    };
    await Promise.all([publishing(), delivering(), delivering(), leaving(), leaving(), sweeping()]);
    await confirm(); // what the other had locked when it was looked for
    await publish('the last');
    const owed = await deliveries.claim(CLAIM);
    assert.equal(owed.length, 30);
  });

  test('a clock that is 40 days ahead for a moment ends no lease for good', async (context) => {
    let ahead = 0;
    let steady = 0;
    const lines: string[] = [];
    const logger = {
      enabled: () => true,
      log: (_: string, message: string) => lines.push(message),
    };
    const { hub, store, subscribe, change, news } = await openTestHub(
      context,
      { open: (clock) => engine.open(() => clock!() + ahead) },
      { now: () => steady, logger },
    );
    for (const path of ['/a', '/b']) await subscribe(path);
    await hub.turn();
    const left = async () =>
      (await store.db.selectFrom('subscription').select('id').execute()).length;
    news();
    ahead = 40 * 86_400_000;
    await hub.turn();
    await hub.turn();
    assert.equal(await left(), 2);
    assert.equal(lines.filter((line) => line.startsWith('the clock jumped')).length, 1);
    ahead = 0;
    await change('the second');
    assert.deepEqual(news().toSorted(), ['POST /a', 'POST /b']);

    ahead = 40 * 86_400_000; // and stays there: a machine that slept
    await hub.turn();
    steady += 3_600_000;
    ahead += 3_600_000;
    await hub.turn();
    assert.equal(await left(), 0);
  });

  test('an outcome is written once the store takes it again', async (context) => {
    const test = await openTestHub(context, engine, {
      logger: { enabled: () => false, log: () => {} },
    });
    const { callbacks, change, news, store, subscribe } = test;
    await subscribe('/a');
    news();
    let failures = 0;
    const transaction = store.transaction.bind(store);
    callbacks.handle((_, response) => {
      store.transaction = async (work) => {
        if (failures++ < 2) throw new Error('the disk is full');
        return transaction(work);
      };
      response.end();
    });
    await change('the second');
    assert.ok(failures > 2);
    assert.deepEqual(news(), ['POST /a'], 'delivered once');
    assert.equal((await test.hub.status())[0]!.owed, 0);
  });

  test('a lease counts from the question, not from its answer', async (context) => {
    const { callbacks, change, news, pass, send, settle } = await openTestHub(context, engine);
    let answer = () => {};
    callbacks.handle(({ path }, response) => {
      const challenge = new URL(path, 'https://x').searchParams.get('hub.challenge');
      answer = () => void response.end(challenge);
    });
    const fields = { 'hub.mode': 'subscribe', 'hub.lease_seconds': '300' };
    await send({ ...fields, 'hub.topic': TOPICS.atom, 'hub.callback': callbacks.url('/a') });
    await callbacks.waitFor(() => true);
    const passing = pass(5);
    answer();
    await passing;
    await settle();
    callbacks.handle((_, response) => void response.end());
    news();
    await pass(294);
    await change('the second');
    assert.deepEqual(news(), ['POST /a']);
    await pass(1);
    await change('the third');
    assert.deepEqual(news(), []);
  });

  test('nothing is sent after the lease, also when its turn comes later', async (context) => {
    const { callbacks, hub, news, pass, subscribe, change } = await openTestHub(context, engine);
    for (const path of ['/a', '/b']) await subscribe(path);
    await subscribe('/late', { 'hub.lease_seconds': '300' });
    await pass(295);
    news();
    const held: (() => void)[] = [];
    callbacks.handle((_, response) => void held.push(() => response.end()));
    const changing = change('the second'); // two of a host at once: the third waits
    await callbacks.waitFor(({ method }) => method === 'POST');
    await eventually(() => held.length === 2);
    await hub.publish();
    const passing = pass(10);
    for (const answer of held.splice(0)) answer();
    callbacks.handle((_, response) => void response.end());
    await Promise.all([changing, passing]);
    assert.deepEqual(news().toSorted(), ['POST /a', 'POST /b']);
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

function delivered(delivery: ClaimedDelivery) {
  return { delivery, verdict: { kind: 'delivered' as const, version: delivery.version } };
}
