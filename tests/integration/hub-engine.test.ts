import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Deliveries, type Settled, type Verdict } from '../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { eventually } from '../support/eventually.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub, SECRETS } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const HOUR = 3_600_000;
const ALWAYS = { confirm: async () => {} };
const topic = { id: 1, version: 3 };

forEachEngine((engine) => {
  /** The store of a hub that does nothing itself, with a topic of three versions. */
  async function byHand(context: TestContext, behind: readonly number[]) {
    const { hub, store, callbacks, change } = await openTestHub(context, engine);
    for (const text of ['the second', 'the third']) await change(text);
    await hub.drain();
    const rows = behind.map((versions, index) => ({
      topic_id: topic.id,
      callback: `https://a.example/${index}`,
      host: 'a.example',
      expires_at: Date.parse('2026-06-01T01:00:00Z'),
      acknowledged: topic.version - versions,
    }));
    if (rows.length > 0) await store.db.insertInto('subscription').values(rows).execute();
    const deliveries = new Deliveries(store, SECRETS, ALWAYS);
    const due = async (): Promise<number[]> => {
      const ids: number[] = [];
      for await (const page of deliveries.due(topic)) {
        assert.ok(page.length <= 500);
        ids.push(...page.map(({ id }) => id));
      }
      return ids;
    };
    const settle = (delivery: Settled['delivery'], verdict: Verdict) =>
      deliveries.settle([{ delivery, verdict, answered: true }]);
    const subscriptions = () => store.db.selectFrom('subscription').selectAll().execute();
    const requests = new Requests(store, SECRETS, ALWAYS, 1000);
    return { store, callbacks, deliveries, due, settle, subscriptions, requests };
  }

  test('a debt is found once, in pages, whatever version a subscriber has', async (context) => {
    const behind = Array.from({ length: 1200 }, (_, index) => index % 4);
    const { due, subscriptions } = await byHand(context, behind);
    const owed = (await subscriptions()).filter(({ acknowledged }) => acknowledged < 3);
    assert.deepEqual((await due()).toSorted((a, b) => a - b), owed.map(({ id }) => id)); // oxfmt-ignore
  });

  test('a change written meanwhile stays: a renewal, a new secret, a newer version', async (context) => {
    const { deliveries, due, settle, store, subscriptions } = await byHand(context, [1, 1, 1]);
    const [renewed, resigned, served] = await deliveries.take(await due());
    const update = (id: number, values: object) =>
      store.db.updateTable('subscription').set(values).where('id', '=', id).execute();
    await update(renewed!.id, { failures: 1 });
    await update(resigned!.id, { revision: 1 });
    await update(served!.id, { acknowledged: 4 });
    await settle(renewed!, { kind: 'removed', reason: 'three failures' });
    await settle(renewed!, { kind: 'retry', failures: 2, strikeMs: 1, delayMs: 1 });
    for (const one of [resigned!, served!]) await settle(one, { kind: 'delivered' });
    const left = (await subscriptions()).toSorted((a, b) => a.id - b.id);
    assert.deepEqual(left.map((row) => [row.failures, row.acknowledged]), [[1, 2], [0, 2], [0, 4]]); // oxfmt-ignore
    assert.deepEqual(await store.db.selectFrom('intent').selectAll().execute(), []);
  });

  test('a request to leave is kept though the one to enter is settled at that moment', async (context) => {
    const { requests, callbacks, subscriptions } = await byHand(context, []);
    const all = Array.from({ length: 60 }, (_, one) => callbacks.url(`/${one}`));
    const ask = async (mode: 'subscribe' | 'unsubscribe') => {
      for (const callback of all) {
        const wish = { mode, callback, topicUrl: TOPICS.atom, secret: null, leaseSeconds: 300 };
        await requests.add(wish, '');
      }
    };
    const confirm = async () => {
      const ids = (await requests.due(1000)).map(({ id }) => id);
      if (ids.length === 0) return;
      for (const taken of await requests.take(ids)) {
        await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
      }
    };
    await ask('subscribe');
    await Promise.all([confirm(), ask('unsubscribe')]);
    await confirm(); // those whose request to enter came in between
    await confirm();
    assert.deepEqual(await subscriptions(), []);
  });

  test('a host is known as slow after a restart too', async (context) => {
    const { deliveries, due, store } = await byHand(context, [1, 1]);
    const [slow, prompt] = await deliveries.take(await due());
    const verdict = { kind: 'delivered' } as const;
    await deliveries.settle([
      { delivery: slow!, verdict, pace: 'slow', answered: true },
      { delivery: prompt!, verdict, pace: 'prompt', answered: true },
    ]);
    const restarted = new Deliveries(store, SECRETS, ALWAYS);
    const paces: string[] = [];
    for await (const page of restarted.due({ ...topic, version: 4 })) {
      paces.push(...page.map(({ pace }) => pace));
    }
    assert.deepEqual(paces, ['slow', 'prompt']);
  });

  test('pings write nothing while the edition is the one that was published', async (context) => {
    const { change, hub, store, subscribe } = await openTestHub(context, engine);
    await subscribe('/a');
    const writing = context.mock.method(store, 'transaction');
    for (let ping = 0; ping < 100; ping++) {
      await hub.accept({ mode: 'publish' });
      await hub.publish();
    }
    await hub.idle();
    assert.equal(writing.mock.callCount(), 0);
    await change('the second');
    assert.equal(writing.mock.callCount(), 2, 'all topics, and the outcome of one delivery');
  });

  /** A hub on a database whose clock can be ahead. */
  async function withClock(context: TestContext) {
    const clock = { ahead: 0, steady: 0 };
    const lines: string[] = [];
    const logger = { enabled: () => true, log: (_: string, line: string) => lines.push(line) };
    const test = await openTestHub(
      context,
      { open: (now) => engine.open(() => now!() + clock.ahead + clock.steady) },
      { now: () => clock.steady, logger },
    );
    await test.hub.turn();
    return { ...test, clock, lines };
  }

  test('a clock that is 40 days ahead for a moment ends no lease for good', async (context) => {
    const { clock, hub, lines, store, subscribe, change, news } = await withClock(context);
    for (const path of ['/a', '/b']) await subscribe(path);
    clock.steady += HOUR;
    await hub.turn();
    const left = async () =>
      (await store.db.selectFrom('subscription').select('id').execute()).length;
    news();
    clock.ahead = 40 * 24 * HOUR;
    for (const text of ['the second', 'the third']) await change(text);
    assert.deepEqual(news(), [], 'nothing is sent after the lease');
    assert.equal(await left(), 2);
    clock.ahead = 0;
    await hub.turn();
    await hub.idle();
    assert.deepEqual(news().toSorted(), ['POST /a', 'POST /b']);
    assert.equal(lines.filter((line) => line === 'the clock jumped').length, 2);

    clock.ahead = 40 * 24 * HOUR; // and stays there: a machine that slept
    await hub.turn();
    clock.steady += HOUR;
    await hub.turn();
    assert.equal(await left(), 0);
  });

  test('a clock that was 26 hours ahead delays nothing once it is right', async (context) => {
    const { clock, hub, callbacks, subscribe, change, news } = await withClock(context);
    for (const path of ['/well', '/ill']) await subscribe(path);
    clock.ahead = 26 * HOUR;
    await hub.turn();
    callbacks.handle(({ path }, response) => response.writeHead(path === '/ill' ? 500 : 204).end());
    await change('the second');
    news();
    clock.ahead = 0;
    await hub.turn();
    await hub.idle();
    assert.deepEqual(
      news(),
      ['POST /ill'],
      'it need not wait for the time that the clock had shown',
    );
    clock.steady += 600_000;
    callbacks.handle((_, response) => response.end());
    await change('the third');
    assert.deepEqual(news().toSorted(), ['POST /ill', 'POST /well']);
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

  test('a content that cannot be read is no failure of a subscriber, and is sent a minute later', async (context) => {
    const { change, news, pass, store, subscribe } = await openTestHub(context, engine, {
      logger: { enabled: () => false, log: () => {} },
    });
    await subscribe('/a');
    news();
    const edition = topicEdition('the second');
    const reading = context.mock.method(edition.files, 'bytes', async () => {
      throw new Error('the file is damaged');
    });
    await change(edition);
    await pass(59);
    assert.equal(reading.mock.callCount(), 1);
    const [row] = await store.db.selectFrom('subscription').select('failures').execute();
    assert.equal(row!.failures, 0);
    reading.mock.restore();
    assert.deepEqual(news(), []);
    await pass(1);
    assert.deepEqual(news(), ['POST /a']);
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

  for (const [what, store, sent] of [
    ['delivery', Deliveries, 'POST'],
    ['request', Requests, 'GET'],
  ] as const) {
    test(`a ${what} that is taken after the drain has begun is due as before`, async (context) => {
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
        const fields = { 'hub.topic': TOPICS.atom, 'hub.callback': callbacks.url('/b') };
        await send({ 'hub.mode': 'subscribe', ...fields });
      }
      await eventually(() => drained !== undefined);
      await drained;
      assert.deepEqual(news(), []);
      const table = sent === 'POST' ? 'subscription' : 'intent';
      const [row] = await test.store.db.selectFrom(table).select('due_at').execute();
      assert.equal(row!.due_at, 0);
    });
  }

  test('nothing is sent after the lease, also when its turn comes later', async (context) => {
    const { callbacks, hub, news, pass, subscribe, change } = await openTestHub(context, engine);
    await subscribe('/a');
    await subscribe('/late', { 'hub.lease_seconds': '300' }); // its turn is the last, by no chance
    await subscribe('/b');
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
    const paths = ['/a', '/b', '/c', '/d'];
    for (const path of paths) await subscribe(path, { 'hub.lease_seconds': '300' });
    await change('the second'); // answered at once: after one on each connection, several in a row
    await pass(299.5);
    news();
    let passing: Promise<void> | undefined;
    let answered = 0;
    callbacks.handle((_, response) => {
      if (++answered === 3) passing = pass(0.6);
      response.end();
    });
    await change('the third');
    await passing;
    assert.equal(news().length, 3);
  });
});
