import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrations } from '../../sidecar/hub/store/migrations.ts';
import type { HubStore } from '../../sidecar/hub/store/tables.ts';
import { isMigrated, migrate } from '../../sidecar/store/migrate.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub, SECRETS } from '../support/hub.ts';
import { TOPICS } from '../support/topic-edition.ts';

/** A time before any lease of these tests ends. */
const THEN = Date.parse('2026-05-31T00:00:00Z');
const LEASE_ENDS = Date.parse('2026-06-10T00:00:00Z');

/** Returns the migrations up to one of them. */
function stepsTo(engine: HubStore['engine'], last: number) {
  return Object.fromEntries(Object.entries(migrations(engine, SECRETS)).slice(0, last));
}

/**
 * Fills tables of the first version: one topic, a subscription with a pending delivery, a request.
 */
async function fill({ db }: HubStore): Promise<void> {
  await sql`insert into topic (url, version, etag, type, size, edition_time, confirmed_at)
    values (${TOPICS.atom}, 7, '"old"', 'application/atom+xml', 0, 1, ${THEN})`.execute(db);
  await sql`insert into subscription
    (topic_id, callback, host, secret, expires_at, acknowledged, tried, failures)
    select id, 'https://192.0.2.1/behind', '192.0.2.1', 'sesame', ${LEASE_ENDS}, 6, 7, 1
    from topic`.execute(db);
  await sql`insert into intent (topic_id, callback, host, mode, lease_seconds, version)
    select id, 'https://192.0.2.2/asking', '192.0.2.2', 'subscribe', 300, 7
    from topic`.execute(db);
}

forEachEngine((engine) => {
  test('data of the first version goes through every step to the last and works', async (context) => {
    const { hub, store, callbacks, subscribe, news, change, settle } = await openTestHub(context, {
      open: async (clock) => {
        const store = await engine.open(clock);
        const count = Object.keys(migrations(store.engine, SECRETS)).length;
        await migrate(store, stepsTo(store.engine, 1));
        await fill(store);
        assert.equal(await isMigrated(store, migrations(store.engine, SECRETS)), false);
        for (let last = 2; last < count; last++) await migrate(store, stepsTo(store.engine, last));
        return store;
      },
    });
    assert.equal(await isMigrated(store, migrations(store.engine, SECRETS)), true);
    const [before] = await hub.status();
    // The hub published its edition's content as the next version.
    const { url, version, subscriptions, pending, owed, oldestOwedMs } = before!;
    assert.deepEqual([url, version, subscriptions, pending, owed], [TOPICS.atom, 8, 1, 1, 1]);
    assert.equal(oldestOwedMs, 86_400_000, 'since the version before was last seen');

    const behind = await store.db.selectFrom('subscription').selectAll().executeTakeFirst();
    assert.equal(SECRETS.open(behind!.sealed_secret!), 'sesame');
    const callback = callbacks.url('/behind');
    const { hostname: host } = new URL(callback);
    await store.db.updateTable('subscription').set({ callback, host }).execute();
    await store.db.deleteFrom('intent').execute();
    await settle();
    assert.deepEqual(news(), ['POST /behind']);
    await subscribe('/new');
    await change('the next');
    assert.deepEqual(news().toSorted(), ['GET subscribe /new', 'POST /behind', 'POST /new']);
    assert.deepEqual(
      (await hub.status()).map(({ owed }) => owed),
      [0, 0, 0],
    );
  });

  test('every step may be run again after a crash, over data', async (context) => {
    const store = await engine.open();
    context.after(() => store.close());
    for (const [index, { up }] of Object.values(migrations(store.engine, SECRETS)).entries()) {
      await migrate(store, stepsTo(store.engine, index + 1));
      await up(store.db);
      if (index === 0) await fill(store);
    }
    const { n } = await store.db
      .selectFrom('subscription')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    assert.equal(n, 1);
  });

  test('a store of a version to come is refused, not changed', async (context) => {
    const store = await engine.open();
    context.after(() => store.close());
    const known = migrations(store.engine, SECRETS);
    await migrate(store, { ...known, '9999-to-come': { up: async () => {} } });
    await assert.rejects(migrate(store, known), /9999-to-come/);
  });
});
