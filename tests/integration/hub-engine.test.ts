import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { topicFiles } from '../../sidecar/hub/topic-files.ts';
import { Deliveries, type Delivery, type Verdict } from '../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { HubFullError, type Limits } from '../../sidecar/hub/store/room.ts';
import { Topics } from '../../sidecar/hub/store/topics.ts';
import { eventually } from '../support/eventually.ts';
import { forEachEngine } from '../support/engines.ts';
import { allDue, openTestHub, SECRETS } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const LIMITS: Limits = {
  subscriptions: 1000,
  perHost: Infinity,
  pending: 1000,
  pendingPerClient: 1000,
};
const CLAIM_MS = 30_000;
const DELIVERED: Verdict = { kind: 'delivered', answer: '204' };
const RELEASED: Verdict = { kind: 'released', delayMs: 0 };

forEachEngine((engine) => {
  /** A hub with subscribers that are owed a version, and another replica's view of the store. */
  async function owing(context: TestContext, subscribers: number) {
    const test = await openTestHub(context, engine);
    for (let count = 0; count < subscribers; count++) await test.subscribe(`/${count}`);
    const { store } = test;
    const topics = new Topics(store);
    await test.hub.drain(); // what comes now is done by hand
    const publish = async (text: string) => {
      for (const file of topicFiles(topicEdition(text))) {
        await topics.offer(file, { fresh: true, graceMs: 0 });
      }
    };
    /** A replica of its own, which knows what it has under way. */
    const replica = () => {
      const deliveries = new Deliveries(store, SECRETS);
      const known = new Set<number>();
      const take = async (): Promise<Delivery[]> => {
        const ids = (await allDue(deliveries, store)).filter((id) => !known.has(id));
        for (const id of ids) known.add(id);
        return ids.length === 0 ? [] : deliveries.take(ids, CLAIM_MS);
      };
      const settle = async (delivery: Delivery, verdict: Verdict) => {
        await deliveries.settle([{ delivery, verdict }]);
        known.delete(delivery.id);
      };
      return { deliveries, take, settle };
    };
    return { ...test, ...replica(), replica, publish };
  }

  if (engine.name === 'PostgreSQL') {
    test('what one replica took no other can', async (context) => {
      const { replica, publish } = await owing(context, 6);
      await publish('the second');
      const taken = await Promise.all([replica(), replica(), replica()].map(({ take }) => take()));
      const ids = taken.flat().map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length + (await replica().take()).length, 6);
      assert.deepEqual(await replica().take(), []);
    });

    test('a claim that ended is another replica’s, and the first may not settle it', async (context) => {
      const { replica, take, settle, publish, pass } = await owing(context, 1);
      const other = replica();
      await publish('the second');
      const [first] = await take();
      await pass(29);
      assert.deepEqual(await other.take(), []);
      await pass(1);
      const [second] = await other.take();
      assert.equal(second!.id, first!.id);
      await settle(first!, { kind: 'removed' });
      await settle(first!, DELIVERED);
      await settle(first!, { kind: 'retry', answer: '500', failures: 1, delayMs: 0 });
      await settle(first!, RELEASED);
      assert.deepEqual(await replica().take(), [], 'the second still has it');
      await other.settle(second!, DELIVERED);
      await pass(60);
      assert.deepEqual(await replica().take(), []);
    });
  }

  test('a subscription that is renewed while its third failure is under way stays', async (context) => {
    const { store, take, settle, publish } = await owing(context, 1);
    await publish('the second');
    await store.db.updateTable('subscription').set({ failures: 2 }).execute();
    const [third] = await take();
    await store.db.updateTable('subscription').set({ failures: 0 }).execute();
    await settle(third!, { kind: 'removed', reason: 'three failures' });
    const left = await store.db.selectFrom('subscription').select('failures').execute();
    assert.deepEqual(left.map(({ failures }) => failures), [0]); // oxfmt-ignore
    assert.deepEqual(await store.db.selectFrom('intent').selectAll().execute(), []);
  });

  test('a newer version waits for the delivery that is under way', async (context) => {
    const { take, settle, publish } = await owing(context, 1);
    await publish('the second');
    const [first] = await take();
    await publish('the third');
    assert.deepEqual(await take(), []);
    await settle(first!, DELIVERED);
    const [next] = await take();
    assert.equal(next!.version, first!.version + 1);
  });

  test('what was released is due at once, and failed not once more', async (context) => {
    const { take, settle, publish } = await owing(context, 1);
    await publish('the second');
    const [first] = await take();
    await settle(first!, RELEASED);
    const [again] = await take();
    assert.deepEqual([again!.id, again!.failures], [first!.id, 0]);
  });

  test('whatever hosts and versions there are, each delivery is taken once', async (context) => {
    const { publish, store, take } = await owing(context, 0);
    await publish('the second');
    await publish('the third');
    const topics = await store.db.selectFrom('topic').select(['id', 'version']).execute();
    const hosts = ['a.example', 'b.example', 'c.example', 'd.example'];
    const rows = Array.from({ length: 1200 }, (_, index) => {
      const { id, version } = topics[index % topics.length]!;
      const host = hosts[index % 7 === 0 ? index % hosts.length : 1]!;
      const behind = index % 4; // 0: it has the newest
      return {
        topic_id: id,
        callback: `https://${host}/${index}`,
        host,
        expires_at: Date.now() + 3_600_000,
        acknowledged: version - behind,
        failures: behind > 0 && index % 5 === 0 ? 1 : 0,
        claim: null,
      };
    });
    await store.db.insertInto('subscription').values(rows).execute();
    const taken = (await take()).map(({ callback }) => callback);
    const owed = rows.filter((_, index) => index % 4 > 0).map(({ callback }) => callback);
    assert.deepEqual(taken.toSorted(), owed.toSorted());
  });

  test('what is due is found once, in small pages, and again when something makes it due', async (context) => {
    const { deliveries, pass, publish, settle, store } = await owing(context, 0);
    await publish('the second');
    const { id, version } = await store.db
      .selectFrom('topic')
      .select(['id', 'version'])
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 1200 }, (_, index) => ({
      topic_id: id,
      callback: `https://a.example/${index}`,
      host: 'a.example',
      expires_at: Date.parse('2026-06-01T01:00:00Z'),
      acknowledged: version - 1 - (index % 2),
    }));
    await store.db.insertInto('subscription').values(rows).execute();
    const due = async (): Promise<number[]> => {
      const ids: number[] = [];
      for await (const page of deliveries.due(await new Topics(store).published())) {
        assert.ok(page.length <= 500);
        ids.push(...page.map((row) => row.id));
      }
      return ids;
    };
    const all = await due();
    assert.equal(new Set(all).size, 1200);
    await pass(10);
    assert.deepEqual(await due(), []);

    const [failed, cut, late] = await deliveries.take(all.slice(0, 3), CLAIM_MS);
    await settle(failed!, { kind: 'retry', answer: '500', failures: 1, delayMs: 60_000 });
    await settle(cut!, RELEASED);
    assert.deepEqual(await due(), [cut!.id]);
    await publish('the third');
    assert.ok((await due()).length >= 1198, 'a new version is owed to all');
    await pass(10);
    assert.deepEqual(await due(), [cut!.id], 'as recent as a transaction may take');
    await settle(late!, DELIVERED);
    assert.deepEqual(await due(), [late!.id], 'it got the version before');
    await pass(60);
    assert.deepEqual(await due(), [failed!.id, late!.id]);
    await pass(10);
    assert.deepEqual(await due(), []);
    deliveries.startOver();
    assert.equal((await due()).length, 1200);
  });

  /** Settles every question that is due as its subscriber would that says yes. */
  async function confirm(requests: Requests): Promise<void> {
    const ids = (await requests.due(1000)).map(({ id }) => id);
    if (ids.length === 0) return;
    for (const taken of await requests.take(ids, CLAIM_MS)) {
      await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
    }
  }
  const ask = (
    requests: Requests,
    mode: 'subscribe' | 'unsubscribe',
    callback: string,
    client = '',
  ) =>
    requests.add(TOPICS.atom, callback, { mode, secret: null, leaseSeconds: 300, client }, LIMITS);

  test('a request to leave is kept though the one to enter is settled at that moment', async (context) => {
    const { store, callbacks } = await owing(context, 0);
    const requests = new Requests(store, SECRETS, () => 0);
    const all = Array.from({ length: 60 }, (_, one) => callbacks.url(`/${one}`));
    for (const callback of all) await ask(requests, 'subscribe', callback);
    const leaving = async () => {
      for (const callback of all) await ask(requests, 'unsubscribe', callback);
    };
    await Promise.all([confirm(requests), leaving()]);
    await confirm(requests); // those whose request to enter came in between
    await confirm(requests);
    const left = await store.db.selectFrom('subscription').select('callback').execute();
    assert.deepEqual(left, []);
  });

  test('publishes, settlements, unsubscriptions and sweeps at once fail none of them', async (context) => {
    const { replica, publish, store, callbacks } = await owing(context, 0);
    const requests = new Requests(store, SECRETS, () => 0);
    const all = Array.from({ length: 60 }, (_, one) => callbacks.url(`/${one}`));
    for (const callback of all) await ask(requests, 'subscribe', callback);
    await confirm(requests);
    let version = 0;
    const publishing = async () => {
      for (let count = 0; count < 15; count++) await publish(`version ${version++}`);
    };
    const delivering = async () => {
      const { take, settle } = replica();
      for (let count = 0; count < 25; count++) {
        for (const delivery of await take()) {
          await settle(delivery, DELIVERED);
        }
      }
    };
    const leaving = async () => {
      for (const callback of all.filter((_, one) => one % 2 === 0)) {
        await ask(requests, 'unsubscribe', callback);
        await confirm(requests);
      }
    };
    const sweeping = async () => {
      for (let count = 0; count < 20; count++) await replica().deliveries.removeExpired();
    };
    await Promise.all([publishing(), delivering(), leaving(), leaving(), sweeping()]);
    await confirm(requests); // what the other had locked when it was looked for
    await publish('the last');
    assert.equal((await replica().take()).length, 30);
  });

  test('each client network’s first request goes before any network’s second', async (context) => {
    const { store, callbacks } = await owing(context, 0);
    const requests = new Requests(store, SECRETS, () => 0);
    for (let one = 0; one < 50; one++) {
      await ask(requests, 'subscribe', callbacks.url(`/flood/${one}`), '2001:db8:1');
    }
    await ask(requests, 'subscribe', callbacks.url('/honest'), '192.0.2.7');
    const clients = (await requests.due(10)).map(({ client }) => client);
    assert.ok(clients.slice(0, 2).includes('192.0.2.7'), clients.join());
  });

  test('requests that wait take no places, and one network can have only so many waiting', async (context) => {
    const { store, callbacks } = await owing(context, 0);
    const requests = new Requests(store, SECRETS, () => 0);
    const limits = { subscriptions: 2, perHost: 2, pending: 5, pendingPerClient: 3 };
    const enter = (path: string, client: string, changes: Partial<Limits> = {}) =>
      requests.add(
        TOPICS.atom,
        callbacks.url(path),
        { mode: 'subscribe', secret: null, leaseSeconds: 300, client },
        { ...limits, ...changes },
      );
    for (const path of ['/a', '/b', '/c']) await enter(path, 'one');
    await assert.rejects(enter('/d', 'one'), HubFullError);
    await enter('/a', 'one');
    for (const path of ['/d', '/e']) await enter(path, 'two');
    await assert.rejects(enter('/f', 'three'), HubFullError);
    await confirm(requests);
    await assert.rejects(enter('/f', 'three', { subscriptions: 100 }), /host of the callback/);
    await assert.rejects(enter('/f', 'three', { perHost: 100 }), /as many subscriptions/);
    await enter('/f', 'three', { perHost: 100, subscriptions: 100 });
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

  test('the time from the claim of a request to its question does not shorten the lease', async (context) => {
    let elapsed = 0;
    const { store, subscribe } = await openTestHub(context, engine, { now: () => elapsed });
    const take = Requests.prototype.take;
    context.mock.method(
      Requests.prototype,
      'take',
      async function (this: Requests, ...args: Parameters<typeof take>) {
        const taken = await take.apply(this, args);
        elapsed += 2000; // a slow database
        return taken;
      },
    );
    await subscribe('/a', { 'hub.lease_seconds': '300' });
    const [{ expires_at: expiresAt }] = (await store.db
      .selectFrom('subscription')
      .select('expires_at')
      .execute()) as [{ expires_at: number }];
    assert.equal(expiresAt, Date.parse('2026-06-01T00:05:02Z'));
  });

  for (const [table, store, sent] of [
    ['subscription', Deliveries, 'POST'],
    ['intent', Requests, 'GET'],
  ] as const) {
    test(`a claim of a ${table} that arrives after the drain has begun is released`, async (context) => {
      const test = await openTestHub(context, engine);
      const { callbacks, hub, news, send, subscribe, change } = test;
      await subscribe('/a');
      news();
      const take = store.prototype.take as (...args: unknown[]) => unknown;
      let drained: Promise<void> | undefined;
      context.mock.method(store.prototype, 'take', function (this: unknown, ...args: unknown[]) {
        drained ??= hub.drain();
        return take.apply(this, args);
      });
      if (sent === 'POST') await change('the second');
      else {
        const callback = callbacks.url('/b');
        const topic = { 'hub.topic': TOPICS.atom, 'hub.callback': callback };
        await send({ 'hub.mode': 'subscribe', ...topic });
      }
      await eventually(() => drained !== undefined);
      await drained;
      assert.deepEqual(news(), []);
      const rows = await test.store.db.selectFrom(table).select(['claim', 'due_at']).execute();
      assert.equal(rows[0]!.claim, null);
      assert.ok(rows[0]!.due_at <= Date.parse('2026-06-01T00:00:00Z'), 'it is due at once');
    });
  }

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

  test('a lease that ends between two deliveries in a row is noticed before the second', async (context) => {
    const { callbacks, change, news, pass, subscribe } = await openTestHub(context, engine);
    for (const path of ['/a', '/b']) await subscribe(path, { 'hub.lease_seconds': '300' });
    await change('the second'); // answered at once, so the host gets several in a row from now on
    await pass(299.5);
    news();
    let passing: Promise<void> | undefined;
    callbacks.handle((_, response) => {
      passing ??= pass(0.6);
      response.end();
    });
    await change('the third');
    await passing;
    assert.equal(news().length, 1); // whichever came first
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
