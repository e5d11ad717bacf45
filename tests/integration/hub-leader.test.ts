import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Hub } from '../../sidecar/hub/hub.ts';
import { Outbound } from '../../sidecar/hub/outbound/outbound.ts';
import { Leader, NotLeaderError } from '../../sidecar/hub/store/leader.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { startCallbacks } from '../support/callback-server.ts';
import { silent } from '../support/edition.ts';
import { postgresDatabase } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { onLoopback } from '../support/hub-process.ts';
import { hubOptions, LOOPBACK } from '../support/hub.ts';
import { onPostgres } from '../support/postgres.ts';
import { testCa } from '../support/test-ca.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const GRACE_MS = 180_000;

/** Replicas in this process, each with an edition of its own, on one database. */
async function replicas(context: TestContext) {
  const url = await postgresDatabase();
  const ca = testCa();
  const callbacks = await startCallbacks(ca);
  context.after(() => callbacks.close());
  const clock = { now: 0 };
  const start = async (text: string, time: string) => {
    const own = { edition: topicEdition(text, { time }), looks: 0 };
    const store = openPostgres<HubTables>(url, silent);
    const hub = new Hub(
      hubOptions(store, {
        outbound: new Outbound({ allow: LOOPBACK, ca: ca.ca }),
        edition: () => own.edition,
        refresh: async () => void own.looks++,
        now: () => clock.now,
        graceMs: GRACE_MS,
      }),
    );
    await hub.open();
    const settle = async () => {
      for (let turn = 0; turn < 3; turn++) {
        await hub.turn();
        await hub.idle();
      }
    };
    let isEnded = false;
    const end = async () => {
      if (isEnded) return;
      isEnded = true;
      await hub.drain();
      await hub.close();
    };
    context.after(end);
    return { own, store, hub, settle, end };
  };
  const wish = {
    mode: 'subscribe',
    topicUrl: TOPICS.atom,
    secret: null,
    leaseSeconds: 300,
  } as const;
  const posts = () =>
    callbacks.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.toString());
  return { start, callbacks, clock, wish, posts };
}

test(
  'all replicas take requests, one delivers, and another takes its place',
  onPostgres,
  async (context) => {
    const { start, callbacks, wish, posts } = await replicas(context);
    const first = await start('one', '2026-01-01T00:00:00Z');
    const second = await start('one', '2026-01-01T00:00:00Z');
    assert.deepEqual([first.hub.leads, second.hub.leads], [true, false]);
    await second.hub.accept({ ...wish, callback: callbacks.url('/a') });
    await second.settle();
    assert.deepEqual(callbacks.requests, []);
    await first.settle();
    assert.equal(callbacks.requests.length, 1);
    const next = topicEdition('two', { time: '2026-02-01T00:00:00Z' });
    for (const { own } of [first, second]) own.edition = next;
    await second.hub.publish();
    await second.settle();
    assert.deepEqual(posts(), []);
    await second.hub.accept({ mode: 'publish' });
    await eventually(async () => {
      await first.hub.turn();
      return posts().length === 1;
    });
    assert.equal(first.own.looks, 1, 'the leader hears of a ping');
    second.own.edition = topicEdition('three', { time: '2026-03-01T00:00:00Z' });
    await first.end();
    await second.settle();
    assert.equal(second.hub.leads, true);
    assert.match(posts().at(-1)!, /three/);
    assert.equal(posts().length, 2);
  },
);

test(
  'a new leader that is behind publishes the past only if nothing newer comes',
  onPostgres,
  async (context) => {
    const { start, callbacks, clock, wish, posts } = await replicas(context);
    const first = await start('newer', '2026-02-01T00:00:00Z');
    const second = await start('older', '2026-01-01T00:00:00Z');
    await first.hub.accept({ ...wish, callback: callbacks.url('/a') });
    await first.settle();
    await first.end();
    await second.settle();
    clock.now += GRACE_MS - 1;
    await second.settle();
    assert.deepEqual(posts(), []);
    clock.now += 1;
    await second.settle();
    assert.match(posts()[0]!, /older/);
  },
);

test('a late write of an earlier leader is refused', onPostgres, async (context) => {
  const { start } = await replicas(context);
  const { hub, store } = await start('one', '2026-01-01T00:00:00Z');
  await hub.drain();
  const [first, second] = [new Leader(store), new Leader(store)];
  assert.equal(await first.lead(), 0);
  assert.equal(await second.lead(), undefined);
  const write = (leader: Leader) => store.transaction((trx) => leader.confirm(trx));
  await write(first);
  await assert.rejects(write(second), NotLeaderError);
  await first.resign();
  await write(first); // nobody led since
  assert.equal(await second.lead(), 0);
  await assert.rejects(write(first), NotLeaderError);
  await second.resign();
});

test('a leader that says nothing for ten seconds is replaced', onPostgres, async (context) => {
  const { start, callbacks, edition, received, request, subscribe } = await onLoopback(context);
  const DATABASE_URL = await postgresDatabase();
  const [leader, other] = [
    await start({ DATABASE_URL, DATA_DIR: `${edition.folder}-a` }),
    await start({ DATABASE_URL, DATA_DIR: `${edition.folder}-b` }),
  ];
  await subscribe(other.url, '/a');
  leader.child.kill('SIGSTOP');
  const stoppedAt = performance.now();
  const form = { mode: 'subscribe', topic: edition.topic(), callback: callbacks.url('/b') };
  await request(other.url, form);
  const { at } = await received(({ path }) => path.startsWith('/b'));
  context.diagnostic(`replaced after ${(at - stoppedAt).toFixed(0)} ms`);
  assert.ok(at - stoppedAt < 39_000, 'even if the machine is busy');
});
