import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { Hub } from '../../sidecar/hub/hub.ts';
import { Parts } from '../../sidecar/hub/store/parts.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { callbacksFor } from '../support/callback-server.ts';
import { silent } from '../support/edition.ts';
import { postgresDatabase } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { hubOptions, openOutbound } from '../support/hub.ts';
import { partition } from '../support/partition.ts';
import { onPostgres } from '../support/postgres.ts';
import { SITE, topicEdition, TOPICS } from '../support/topic-edition.ts';

const GRACE_MS = 180_000;
/** After which a process gives up a connection, where the database does after ten seconds. */
const SILENCE_MS = 12_000;

/** Replicas in this process, each with an edition of its own, on one database. */
async function replicas(context: TestContext) {
  const url = await postgresDatabase();
  const hostnames = Array.from({ length: HOSTS }, (_, host) => `127.0.0.${host + 1}`);
  const callbacks = await callbacksFor(context, { address: '0.0.0.0', hostnames });
  /** One for each host; its path is the number of the host. */
  const all = hostnames.map((host, index) => callbacks.url(`/${index}`).replace('0.0.0.0', host));
  const clock = { now: 0 };
  const start = async (text: string, time: string, changes: object = {}, through = url) => {
    const own = { edition: topicEdition(text, { time }), looks: 0, callbacks: [] as string[] };
    const outbound = openOutbound(context);
    const store = openPostgres<HubTables>(through, silent, undefined, SILENCE_MS);
    const hub = new Hub(
      hubOptions(store, {
        outbound: {
          send: (exchange) => {
            own.callbacks.push(new URL(exchange.url).pathname);
            return outbound.send(exchange);
          },
          close: () => outbound.close(),
        },
        edition: () => own.edition,
        refresh: async () => void own.looks++,
        now: () => clock.now,
        graceMs: GRACE_MS,
        ...changes,
      }),
    );
    await hub.open();
    let isEnded = false;
    const end = async () => {
      if (isEnded) return;
      isEnded = true;
      await hub.drain();
      await hub.close();
    };
    context.after(end);
    return { own, store, hub, end };
  };
  /** Lets replicas take turns until nothing more comes of it. */
  const settle = async (...those: readonly { hub: Hub }[]) => {
    for (let turn = 0; turn < 4; turn++) {
      for (const { hub } of those) {
        await hub.tick();
        await hub.idle();
      }
    }
  };
  const own = { topicUrl: TOPICS.atom, secret: null, leaseSeconds: 300 };
  const subscribe = async ({ hub }: { hub: Hub }, hosts = all, changes = {}) => {
    for (const callback of hosts)
      await hub.accept({ mode: 'subscribe', ...own, callback, ...changes });
  };
  const posts = () =>
    callbacks.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.toString());
  return { url, start, settle, callbacks, all, clock, subscribe, posts };
}

/** Hosts of subscribers, so many that most parts have some. */
const HOSTS = 64;
const pathOf = ({ path }: { path: string }) => path.split('?')[0]!;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number);
const parts = (those: readonly { hub: Hub }[]) => those.map(({ hub }) => hub.parts);

const FIRST = '2026-01-01T00:00:00Z';
const SECOND = '2026-02-01T00:00:00Z';

describe('replicas on PostgreSQL', onPostgres, () => {
  test('replicas share the parts evenly, whoever comes and goes', async (context) => {
    const { start, settle } = await replicas(context);
    const all = [await start('one', FIRST)];
    assert.deepEqual(parts(all), [64]);
    for (let count = 2; count <= 5; count++) {
      all.push(await start('one', FIRST));
      await settle(...all);
      const shares = parts(all);
      assert.equal(sum(shares), 64);
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1, shares.join());
    }
    for (const { end } of all.splice(0, 3)) await end();
    await settle(...all);
    assert.deepEqual(parts(all), [32, 32]);
  });

  test('all replicas take requests, each delivers its part, and the others take its place', async (context) => {
    const { start, settle, callbacks, all, subscribe, posts } = await replicas(context);
    const [first, second] = [await start('one', FIRST), await start('one', FIRST)];
    await settle(first, second);
    const paths = all.map((url) => new URL(url).pathname).toSorted();
    await subscribe(second);
    await settle(first, second);
    const shares = [first, second].map(({ own }) => own.callbacks.length);
    assert.ok(Math.min(...shares) > HOSTS / 4, shares.join());
    assert.deepEqual(callbacks.requests.map(pathOf).toSorted(), paths);

    for (const { own } of [first, second]) own.edition = topicEdition('two', { time: SECOND });
    await second.hub.accept({ mode: 'publish' });
    await eventually(async () => posts().length === HOSTS);
    assert.ok(first.own.looks > 0, 'the others hear of a ping');
    await settle(first, second);
    assert.equal(posts().length, HOSTS, 'nothing comes twice');

    await subscribe(first, all, { secret: 'another' });
    await settle(first, second);
    await first.end();
    second.own.edition = topicEdition('three', { time: '2026-03-01T00:00:00Z' });
    await settle(second);
    assert.equal(second.hub.parts, 64);
    const last = callbacks.requests.slice(-HOSTS);
    assert.deepEqual(last.map(pathOf).toSorted(), paths);
    assert.ok(last.every(({ body }) => body.includes('three')));
    assert.ok(last.every(({ headers }) => headers['x-hub-signature'] !== undefined));
  });

  test('a part changes hands only when nothing of it is under way', async (context) => {
    const { start, settle, callbacks, subscribe, posts } = await replicas(context);
    const first = await start('one', FIRST);
    await subscribe(first);
    await settle(first);
    const answers: (() => void)[] = [];
    callbacks.handle((_, response) => void answers.push(() => response.writeHead(204).end()));
    first.own.edition = topicEdition('two', { time: SECOND });
    await first.hub.tick();
    await eventually(() => posts().length === HOSTS);
    const second = await start('two', SECOND);
    for (let turn = 0; turn < 3; turn++) for (const { hub } of [first, second]) await hub.tick();
    assert.ok(second.hub.parts < 32, 'parts that wait for an answer are not free');
    callbacks.handle((_, response) => response.writeHead(204).end());
    for (const answer of answers) answer();
    await settle(first, second);
    assert.deepEqual(parts([first, second]), [32, 32]);
    assert.equal(posts().length, HOSTS, 'nothing comes twice');
  });

  test('an older edition is published only if no replica has had a newer one for a while', async (context) => {
    const { start, settle, all, clock, subscribe, posts } = await replicas(context);
    const first = await start('newer', SECOND);
    const second = await start('older', FIRST);
    await subscribe(second, all.slice(0, 1));
    clock.now += 2 * GRACE_MS;
    await settle(first, second);
    assert.deepEqual(parts([first, second]), [64, 0]);
    await first.end();
    await settle(second);
    assert.equal(second.hub.parts, 64);
    clock.now += GRACE_MS - 1;
    await settle(second);
    assert.deepEqual(posts(), []);
    clock.now += 1;
    await settle(second);
    assert.match(posts()[0]!, /older/);
  });

  test('a replica that stays behind gives its parts to the others', async (context) => {
    const { start, settle, clock } = await replicas(context);
    const [first, second] = [await start('one', FIRST), await start('one', FIRST)];
    await settle(first, second);
    first.own.edition = topicEdition('two', { time: SECOND });
    clock.now += GRACE_MS - 1;
    await settle(second);
    await settle(first, second);
    assert.deepEqual(parts([first, second]), [32, 32]);
    clock.now += GRACE_MS;
    await settle(second, first);
    assert.deepEqual(parts([first, second]), [64, 0]);
    second.own.edition = first.own.edition;
    await settle(second, first);
    assert.deepEqual(parts([first, second]), [32, 32]);
  });

  test('a late write of an earlier leader is refused, and takes no part away', async (context) => {
    const { start } = await replicas(context);
    const { hub, store } = await start('one', FIRST);
    await hub.drain();
    const options = { store, now: () => 0, graceMs: 0 };
    const [first, second] = [new Parts(options), new Parts(options)];
    const idle = { tasksOf: () => 0, forget: () => {} };
    const write = (parts: Parts) => store.transaction((trx) => parts.confirm(trx, [7, 8]));
    try {
      await first.meet(0);
      await first.divide(idle);
      assert.deepEqual([...(await write(first))], [7, 8]);
      assert.deepEqual([...(await write(second))], []);
      // By a process that was stopped once it had locked the part, and lost it meanwhile.
      await sql`update part set leader = ${second.leader} where id = 7`.execute(store.db);
      await first.meet(0);
      await first.divide(idle);
      assert.deepEqual([...(await write(first))], [7, 8]);
      await first.leave();
      assert.deepEqual([...(await write(first))], [7, 8], 'nobody has led them since');
      await second.meet(0);
      await second.divide(idle, 8);
      assert.deepEqual([...(await write(first))], [8]);
      assert.deepEqual([...(await write(second))], [7]);
    } finally {
      for (const each of [first, second]) await each.leave();
    }
  });

  test('a replica that cannot reach the database is replaced, and what it writes late is refused', async (context) => {
    const { url, start, settle, callbacks, subscribe, posts } = await replicas(context);
    const network = await partition(context, Number(new URL(url).port));
    const through = url.replace(/:\d+\//, `:${network.port}/`);
    const [parted, other] = [await start('one', FIRST, {}, through), await start('one', FIRST)];
    await settle(parted, other);
    await subscribe(other);
    await settle(parted, other);
    for (const { own } of [parted, other]) {
      own.callbacks = [];
      own.edition = topicEdition('two', { time: SECOND });
    }
    const answers = new Map<string, (status: number) => void>();
    callbacks.handle(({ path }, response) => {
      answers.set(path, (status) => response.writeHead(status).end());
    });
    for (const { hub } of [parted, other]) await hub.tick();
    await eventually(() => answers.size === HOSTS);

    network.part();
    callbacks.handle((_, response) => response.writeHead(204).end());
    const late = [...parted.own.callbacks];
    for (const path of other.own.callbacks) answers.get(path)!(204);
    for (const path of late) answers.get(path)!(410); // would end the subscription
    const blocked = parted.hub.tick();
    await eventually(async () => {
      await other.hub.tick();
      return other.hub.parts === 64;
    });
    await settle(other);
    assert.equal(posts().length, HOSTS + late.length, 'what was under way comes again');
    other.own.edition = topicEdition('three', { time: '2026-03-01T00:00:00Z' });
    await settle(other);
    assert.equal(parted.own.callbacks.length, late.length, 'nothing more without the database');

    network.heal();
    await blocked;
    parted.own.edition = other.own.edition;
    await settle(parted, other);
    assert.deepEqual(parts([parted, other]), [32, 32]);
    const [atom] = await other.hub.status();
    assert.equal(atom!.subscriptions, HOSTS, 'no late write');
    assert.equal(posts().length, 2 * HOSTS + late.length);
  });

  test('all replicas together keep to the limits of the store', async (context) => {
    const { start, settle, callbacks, subscribe } = await replicas(context);
    const few = { maxSubscriptions: 5 };
    const [first, second] = [await start('one', FIRST, few), await start('one', FIRST, few)];
    await settle(first, second);
    const ended = new Promise<void>((resolve) => {
      let asked = 0;
      callbacks.handle(async ({ path }, response) => {
        if (++asked === HOSTS) resolve();
        await ended; // so that all are confirmed at once
        response.end(new URL(path, SITE).searchParams.get('hub.challenge'));
      });
    });
    await subscribe(first);
    for (const { hub } of [first, second]) await hub.tick();
    await settle(first, second);
    const [atom] = await first.hub.status();
    assert.equal(atom!.subscriptions, 5);
  });
});
