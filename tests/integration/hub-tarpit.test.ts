import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Hub } from '../../sidecar/hub/hub.ts';
import { Outbound } from '../../sidecar/hub/outbound/outbound.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import { startCallbacks } from '../support/callback-server.ts';
import { silent } from '../support/edition.ts';
import { eventually } from '../support/eventually.ts';
import { collectGarbage } from '../support/garbage.ts';
import { LOOPBACK, openTestHub, SECRETS } from '../support/hub.ts';
import { testCa } from '../support/test-ca.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const SLOW_MS = 4_000;
/** For machines that are busy with other tests. */
const PATIENCE_MS = 60_000;
const MIB = 1024 * 1024;
const sqlite = { open: async (clock?: () => number) => openSqlite<HubTables>(':memory:', clock) };
const addresses = (net: number, count: number) =>
  Array.from({ length: count }, (_, one) => `127.${net}.${one >> 8}.${one & 255}`);
const SLOW = addresses(1, 400);
const GOOD = addresses(2, 20);

test('400 hosts that take 4 s hold up 20 good ones by less than one of their exchanges, also after a restart', async (context) => {
  const ca = testCa();
  /** The pushes in the order of their answers: addresses. */
  let answered: string[] = [];
  const server = createServer(ca.issue([...SLOW, ...GOOD]), (request, response) => {
    const address = request.socket.localAddress!;
    request.resume();
    const answer = () => {
      answered.push(address);
      response.writeHead(204).end();
    };
    setTimeout(answer, address.startsWith('127.1.') ? SLOW_MS : 0);
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  const { port } = server.address() as AddressInfo;
  let edition = topicEdition('before');
  const store = openSqlite<HubTables>(':memory:');
  const newHub = () =>
    new Hub({
      store,
      secrets: SECRETS,
      outbound: new Outbound({ allow: LOOPBACK, ca: ca.ca }),
      edition: () => edition,
      refresh: async () => {},
      logger: silent,
      now: () => performance.now(),
      random: () => 0,
      retrySeconds: [3600, 3600],
      allow: LOOPBACK,
      maxSubscriptions: 1000,
      graceMs: 0,
    });
  let hub = newHub();
  context.after(async () => {
    server.close();
    server.closeAllConnections(); // so that the drain need not wait for slow answers
    await hub.drain();
    await hub.close();
  });
  await hub.open();
  const subscribe = (hosts: readonly string[], acknowledged: number) =>
    store.db
      .insertInto('subscription')
      .values(
        hosts.map((host) => ({
          topic_id: 1,
          callback: `https://${host}:${port}/`,
          host,
          expires_at: Date.now() + 3_600_000,
          acknowledged,
        })),
      )
      .execute();
  const good = () => answered.filter((host) => GOOD.includes(host)).length;
  const publish = async (text: string) => {
    answered = [];
    edition = topicEdition(text);
    await hub.publish();
    const from = performance.now();
    for (let wait = 0; wait < 5 && good() < GOOD.length; wait++) {
      await eventually(() => good() === GOOD.length).catch(() => {});
    }
    assert.equal(good(), GOOD.length, text);
    return performance.now() - from;
  };
  hub.start();
  await subscribe(SLOW, 99); // first in the store, but owed nothing yet
  await subscribe(GOOD, 1);
  await publish('the first');
  await hub.idle();
  await store.db.updateTable('subscription').set({ acknowledged: 2 }).execute();
  await publish('the second');
  await hub.idle(); // the slow ones are known as such
  await hub.drain();
  await store.db.updateTable('subscription').set({ acknowledged: 3, due_at: 0 }).execute();
  hub = newHub();
  await hub.open();
  hub.start();
  const took = await publish('the third');
  context.diagnostic(`after a restart the good ones took ${took.toFixed(0)} ms`);
  const slow = answered.length - GOOD.length;
  assert.ok(slow < SLOW.length / 8, `${slow} slow ones answered before`);
});

test('the contents of eight editions beside a tarpit are not kept in memory', async (context) => {
  const ca = testCa();
  const outbound = new Outbound({ allow: LOOPBACK, ca: ca.ca });
  const { callbacks, hub, send, subscribe, change } = await openTestHub(context, sqlite, {
    outbound,
  });
  const tarpit = await startCallbacks(ca, { address: '127.0.0.2' });
  context.after(() => tarpit.close());
  const form = { 'hub.mode': 'subscribe', 'hub.topic': TOPICS.atom };
  await send({ ...form, 'hub.callback': tarpit.url() });
  await subscribe('/a');
  hub.start(); // a push whose predecessor is not yet settled waits for the next tick
  const held: (() => void)[] = [];
  tarpit.handle((_, response) => void held.push(() => response.end()));
  const changes: Promise<void>[] = [];
  const publish = async (edition: number) => {
    const pushed = `${edition} ${'x'.repeat(4 * MIB)}`;
    changes.push(change(pushed));
    await callbacks.waitFor(({ body }) => body.includes(`${edition} x`), PATIENCE_MS);
    for (const { requests } of [callbacks, tarpit]) requests.length = 0; // they hold what was pushed
    await collectGarbage();
    return process.memoryUsage().arrayBuffers / MIB;
  };
  const before = await publish(0);
  let after = 0;
  for (let edition = 1; edition <= 8; edition++) after = await publish(edition);
  assert.equal(held.length, 1);
  tarpit.handle((_, response) => void response.end());
  held[0]!();
  await Promise.all(changes);
  assert.ok(after - before < 20, `${before.toFixed(1)} → ${after.toFixed(1)} MiB`);
});
