import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTables, openHubStore } from '../../sidecar/hub/store/tables.ts';
import { topicStatus } from '../../sidecar/hub/store/topics.ts';
import { RefusedStoreError } from '../../sidecar/store/errors.ts';
import { OPERATIONS } from '../../src/resources/catalogue.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import { sampleEdition, silent } from '../support/edition.ts';
import { forEachEngine, type Engine } from '../support/engines.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { openTestHub } from '../support/hub.ts';
import { fillStore, releases, unpackEdition } from '../support/releases.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { TOPICS } from '../support/topic-edition.ts';

// What released versions left behind, with the program of today.

const KEYS = { HUB_KEY: 'the key of the tests', MCP_SECRET: 'a secret of the tests' };

for (const release of releases) {
  test(`a sidecar on the edition and the store of ${release} answers every path, and its hub is open`, async (context) => {
    const folder = await temporaryFolder(context);
    const edition = join(folder, 'client');
    const dataDir = join(folder, 'data');
    await unpackEdition(release, edition);
    symlinkSync(join(dirname(await sampleEdition()), 'server'), join(folder, 'server'));
    const open = () => openHubStore('', dataDir, silent);
    const former = await open();
    await fillStore(release, former);
    await former.close();

    const env = { EDITION: edition, DATA_DIR: dataDir, ...KEYS };
    const sidecar = await startSidecar(env, context);
    const bytes = readFileSync(join(edition, 'edition.json'), 'utf8');
    const { base_url: site, resources } = JSON.parse(bytes) as Manifest;
    const review = '/reviews/01KQMC0000000000000000000B';
    const others = [
      `${review}/`,
      `${review}.json`,
      '/search/',
      '/search/?query=drain',
      '/api/reviews/search?query=drain',
      '/api/reviews/count',
      '/api/reviews/since/2026-01-01',
    ];
    for (const path of [...resources.map((each) => each.path), ...others]) {
      const response = await fetch(new URL(path, sidecar.url));
      await response.arrayBuffer();
      assert.equal(response.status, 200, path);
    }
    const form = {
      'hub.mode': 'subscribe',
      'hub.topic': `${site}/reviews.json`,
      'hub.callback': 'https://subscriber.example/news',
    };
    const body = new URLSearchParams(form);
    const asked = await fetch(`${sidecar.url}api/websub/hub`, { method: 'POST', body });
    assert.equal(asked.status, 202, await asked.text());
    const ready = await fetch(`${sidecar.url}readyz`);
    assert.equal(ready.status, 200, await ready.text());
    sidecar.child.kill('SIGTERM');
    assert.equal(await sidecar.exited, 0);
    const errors = sidecar.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(errors, []);
    const store = await open();
    context.after(() => store.close());
    const [atom] = await topicStatus(store);
    assert.deepEqual([atom!.url, atom!.subscriptions], [`${site}/feed.xml`, 1]);
  });
}

test('every document of a release is there still, or the changelog says that it is gone', async (context) => {
  const templates = OPERATIONS.map(
    ({ path }) => new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}$`),
  );
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  for (const release of releases) {
    const folder = await temporaryFolder(context);
    await unpackEdition(release, folder);
    const bytes = readFileSync(join(folder, 'edition.json'), 'utf8');
    const { resources } = JSON.parse(bytes) as Manifest;
    const documents = resources.filter(({ path }) =>
      /\.(json|xml|csv|ndjson|sqlite|txt)$/.test(path),
    );
    assert.ok(documents.length > 10);
    for (const { path } of documents) {
      const isThere = templates.some((each) => each.test(path));
      assert.ok(isThere || changelog.includes(`\`${path}\``), path);
    }
  }
});

/** Returns an engine whose databases have the store of a release. */
const filled = (engine: Engine, release: string): Engine => ({
  open: async (clock) => {
    const store = await engine.open(clock);
    await fillStore(release, store);
    return store;
  },
});

forEachEngine((engine) => {
  for (const release of releases) {
    test(`a subscription of ${release} gets what is new, signed with its secret`, async (context) => {
      const { callbacks, change, deliveries, store } = await openTestHub(context, {
        engine: filled(engine, release),
      });
      const { host } = new URL(callbacks.url('/'));
      await sql`update subscription set callback = ${callbacks.url('/kept')}, host = ${host},
        topic_id = (select id from topic where url = ${TOPICS.atom}), acknowledged = 1`.execute(
        store.db,
      );
      await change('the second');
      const [delivery] = deliveries('/kept');
      assert.match(String(delivery?.headers['x-hub-signature']), /^sha256=/);
    });
  }

  test('a store that a newer version has changed is refused, and left as it is', async (context) => {
    const store = await engine.open();
    context.after(() => store.close());
    await createTables(store);
    await createTables(store);
    await sql`insert into hub_format (format) values (1000)`.execute(store.db);
    await sql`drop table part`.execute(store.db);
    await assert.rejects(createTables(store), (error: Error) => {
      assert.ok(error instanceof RefusedStoreError);
      assert.match(error.message, /^a newer version of this program has changed the store .* 1000/);
      return true;
    });
    await assert.rejects(sql`select 1 from part`.execute(store.db));
  });
});
