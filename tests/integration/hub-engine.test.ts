import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../sidecar/hub/outbound/outbound.ts';
import { Deliveries } from '../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { callbacksFor } from '../support/callback-server.ts';
import { quiet } from '../support/edition.ts';
import { eventually } from '../support/eventually.ts';
import { collectGarbage } from '../support/garbage.ts';
import { openTestHub } from '../support/hub.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const MIB = 1024 * 1024;

test('pings write nothing while the edition is the one that was published', async (context) => {
  const { change, hub, store, subscribe } = await openTestHub(context);
  await subscribe('/a');
  const writing = context.mock.method(store, 'transaction');
  for (let ping = 0; ping < 100; ping++) {
    await hub.accept({ mode: 'publish' });
    await hub.tick();
  }
  await hub.idle();
  assert.equal(writing.mock.callCount(), 0);
  await change('the second');
  assert.equal(writing.mock.callCount(), 2, 'all topics, and the outcome of one delivery');
});

test('an outcome is written once the store takes it again', async (context) => {
  const { callbacks, change, hub, news, store, subscribe } = await openTestHub(context, {
    logger: quiet,
  });
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
  assert.equal((await hub.status())[0]!.owed, 0);
});

test('a content that cannot be read is no failure of a subscriber, and is sent a minute later', async (context) => {
  const opened = await openTestHub(context, { logger: quiet });
  const { change, news, pass, store, subscribe } = opened;
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

const NO_ROUTE: Outcome = { kind: 'failure', reason: 'no route', unclear: true, unreached: true };

test('the hub’s own outage is no strike, three times; what was owed is sent when it is over', async (context) => {
  let isOut = true;
  const tries: Record<string, number> = {};
  const answer = { status: 204, body: Buffer.alloc(0), truncated: false };
  const { subscribe, change, pass, store } = await openTestHub(context, {
    through: (send) => async (exchange) => {
      if (exchange.method === 'GET') return send(exchange);
      const { hostname } = new URL(exchange.url);
      tries[hostname] = (tries[hostname] ?? 0) + 1;
      return isOut ? NO_ROUTE : { kind: 'response', ...answer };
    },
  });
  await subscribe('/a');
  const query = store.db.selectFrom('subscription').selectAll();
  const { id: _, ...row } = await query.executeTakeFirstOrThrow();
  const hosts = ['b.example', 'c.example'];
  const others = hosts.map((host) => ({ ...row, callback: `https://${host}/`, host }));
  await store.db.insertInto('subscription').values(others).execute();
  const failures = async () => {
    const found = await store.db.selectFrom('subscription').select('failures').execute();
    return found.map((one) => one.failures).toSorted();
  };
  await change('the second');
  assert.deepEqual(await failures(), [0, 0, 1], 'the first to fail proves nothing');
  for (const seconds of [60, 600]) await pass(seconds);
  assert.deepEqual(await failures(), [0, 0, 1]);
  await pass(600);
  assert.deepEqual(await failures(), [1, 1, 1], 'the fourth time it counts');
  isOut = false;
  await pass(600);
  assert.deepEqual(await failures(), [0, 0, 0]);
  assert.deepEqual(Object.values(tries), [5, 5, 5]);
});

test('a host that cannot be reached is tried after five minutes too, which counts for nothing', async (context) => {
  let isDown = true;
  const { subscribe, change, pass, news } = await openTestHub(context, {
    through: (send) => async (exchange) =>
      isDown && exchange.method === 'POST' ? NO_ROUTE : send(exchange),
  });
  await subscribe('/a');
  news();
  await change('the second');
  await pass(60); // the second failure
  isDown = false;
  await pass(299);
  assert.deepEqual(news(), []);
  await pass(1);
  assert.deepEqual(news(), ['POST /a']);
  isDown = true;
  await change('the third');
  for (const seconds of [60, 300, 299]) await pass(seconds);
  assert.deepEqual(news(), [], 'not yet denied');
  for (const seconds of [1, 1]) await pass(seconds);
  assert.deepEqual(news(), ['GET denied /a']);
});

test('a lease counts from the question, not from its answer', async (context) => {
  const { callbacks, change, news, pass, send, settle } = await openTestHub(context);
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
    const {
      callbacks,
      change,
      hub,
      news,
      send,
      store: rows,
      subscribe,
    } = await openTestHub(context);
    await subscribe('/a');
    news();
    const take = store.prototype.take as (...args: unknown[]) => unknown;
    let drained: Promise<void> | undefined;
    context.mock.method(store.prototype, 'take', function (this: unknown, ...args: unknown[]) {
      drained ??= hub.drain();
      return take.apply(this, args);
    });
    const fields = { 'hub.topic': TOPICS.atom, 'hub.callback': callbacks.url('/b') };
    if (sent === 'POST') await change('the second');
    else await send({ 'hub.mode': 'subscribe', ...fields });
    await eventually(() => drained !== undefined);
    await drained;
    assert.deepEqual(news(), []);
    const table = sent === 'POST' ? 'subscription' : 'intent';
    const [row] = await rows.db.selectFrom(table).select('due_at').execute();
    assert.equal(row!.due_at, 0);
  });
}

test('nothing is sent after the lease, also when its turn comes later', async (context) => {
  const { callbacks, hub, news, pass, subscribe, change } = await openTestHub(context);
  for (const path of ['/a', '/b']) await subscribe(path);
  await subscribe('/late', { 'hub.lease_seconds': '300' }); // its turn is the last
  await pass(295);
  news();
  const held: (() => void)[] = [];
  callbacks.handle((_, response) => void held.push(() => response.end()));
  const changing = change('the second'); // two of a host at once: the third waits
  await callbacks.waitFor(({ method }) => method === 'POST');
  await eventually(() => held.length === 2);
  await hub.tick();
  const passing = pass(10);
  for (const answer of held.splice(0)) answer();
  callbacks.handle((_, response) => void response.end());
  await Promise.all([changing, passing]);
  assert.deepEqual(news().toSorted(), ['POST /a', 'POST /b']);
});

test('a lease that ends between two deliveries in a row is noticed before the second', async (context) => {
  const { callbacks, change, news, pass, subscribe } = await openTestHub(context);
  const paths = ['/a', '/b', '/c', '/d'];
  for (const path of paths) await subscribe(path, { 'hub.lease_seconds': '300' });
  await change('the second'); // answered at once: after one on each connection, several in a row
  await pass(299.5);
  news();
  let passing: Promise<void> | undefined;
  callbacks.handle(({ path }, response) => {
    if (path === '/c') passing = pass(0.6);
    response.end();
  });
  await change('the third');
  await passing;
  const sent = news();
  assert.ok(sent.includes('POST /c') && !sent.includes('POST /d'), sent.join());
});

test('the contents of 24 editions beside a tarpit are not kept in memory', async (context) => {
  const { callbacks, hub, send, subscribe, change } = await openTestHub(context);
  const tarpit = await callbacksFor(context, { address: '127.0.0.2' });
  const form = { 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom };
  await send({ ...form, 'hub.callback': tarpit.url() });
  await subscribe('/a');
  // A push whose predecessor is not yet settled waits for the next tick.
  const ticking = setInterval(() => void hub.tick(), 20);
  context.after(() => clearInterval(ticking));
  const held: (() => void)[] = [];
  tarpit.handle((_, response) => void held.push(() => response.end()));
  const changes: Promise<void>[] = [];
  const publish = async (edition: number) => {
    changes.push(change(`${edition} ${'x'.repeat(MIB)}`));
    await callbacks.waitFor(({ body }) => body.includes(`${edition} x`));
    for (const { requests } of [callbacks, tarpit]) requests.length = 0; // they hold what was pushed
  };
  const used = async () => {
    await collectGarbage();
    return process.memoryUsage().arrayBuffers / MIB;
  };
  await publish(0);
  const before = await used();
  for (let edition = 1; edition <= 24; edition++) await publish(edition);
  const after = await used();
  assert.equal(held.length, 1);
  tarpit.handle((_, response) => void response.end());
  held[0]!();
  await Promise.all(changes);
  assert.ok(after - before < 20, `${before.toFixed(1)} → ${after.toFixed(1)} MiB`);
});
