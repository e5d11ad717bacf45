import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { copyStore } from '../../sidecar/hub/store/copy.ts';
import { Deliveries } from '../../sidecar/hub/store/deliveries.ts';
import { Requests } from '../../sidecar/hub/store/requests.ts';
import { topicStatus } from '../../sidecar/hub/store/status.ts';
import type { HubStore, HubTables } from '../../sidecar/hub/store/tables.ts';
import { Topics } from '../../sidecar/hub/store/topics.ts';
import { topicFiles } from '../../sidecar/hub/topic-files.ts';
import { migrations } from '../../sidecar/hub/store/migrations.ts';
import { migrate } from '../../sidecar/store/migrate.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import { silent } from '../support/edition.ts';
import { postgresDatabase } from '../support/engines.ts';
import { allDue, SECRETS } from '../support/hub.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { onPostgres } from '../support/postgres.ts';
import { run } from '../support/run.ts';
import { topicEdition, TOPICS } from '../support/topic-edition.ts';

const LIMITS = { subscriptions: 1e6, perHost: 1e6, pending: 1e6, pendingPerClient: 1e6 };
const CLAIM_MS = 30_000;
const wish = { mode: 'subscribe', secret: 'hunter2', leaseSeconds: 300, client: '' } as const;
const callbackOf = (index: number) => `https://subscriber.example/capability/${index}`;

/**
 * Fills a store with pending deliveries for more subscriptions than are copied at once, and some
 * requests.
 */
async function fill(store: HubStore, subscriptions: number, pending: number): Promise<void> {
  await migrate(store, migrations(store.engine, SECRETS));
  const topics = new Topics(store);
  const publish = async (text: string) => {
    const files = topicFiles(topicEdition(text));
    await topics.add(files.map(({ url }) => url));
    for (const file of files) await topics.offer(file, { fresh: true, graceMs: 0 });
  };
  const requests = new Requests(store, SECRETS, () => 0);
  await publish('the first');
  for (let index = 0; index < subscriptions; index++)
    await requests.add(TOPICS.atom, callbackOf(index), wish, LIMITS);
  for (;;) {
    const ids = (await requests.due(1000)).map(({ id }) => id);
    if (ids.length === 0) break;
    for (const taken of await requests.take(ids, CLAIM_MS)) {
      await requests.settle(taken, { kind: 'confirmed', askedAt: taken.takenAt });
    }
  }
  for (let index = 0; index < pending; index++)
    await requests.add(TOPICS.reviews, callbackOf(index), wish, LIMITS);
  await publish('the second');
}

/** Returns the status without what changes over time. */
async function statusOf(store: HubStore) {
  return (await topicStatus(store)).map((topic) => ({ ...topic, oldestOwedMs: 0 }));
}

async function sqliteStore(context: TestContext): Promise<{ file: string; store: HubStore }> {
  const file = join(await temporaryFolder(context), 'hub.sqlite');
  const store = openSqlite<HubTables>(file);
  context.after(() => store.close());
  return { file, store };
}

/** Secrets that an old hub took as they came: with a NUL, not UTF-8, and as bytes. */
const ODD_SECRETS = {
  "cast(x'610062' as text)": 'a\0b',
  "cast(x'61ff62' as text)": 'a\uFFFDb',
  "x'616263'": 'abc',
};

/** Returns a SQLite store of the first version, with a pending delivery for each odd secret. */
async function oldStore(context: TestContext): Promise<HubStore> {
  const { store } = await sqliteStore(context);
  const [first] = Object.entries(migrations(store.engine, SECRETS));
  await migrate(store, Object.fromEntries([first!]));
  await sql`insert into topic (url, version) values (${TOPICS.atom}, 2)`.execute(store.db);
  for (const [index, secret] of Object.keys(ODD_SECRETS).entries()) {
    await sql`insert into subscription
      (topic_id, callback, host, secret, expires_at, acknowledged, tried)
      values (1, ${callbackOf(index)}, 'subscriber.example', ${sql.raw(secret)},
        ${Date.now() + 3_600_000}, 1, 1)`.execute(store.db);
  }
  return store;
}

/** Returns the secrets of everything that is due, as deliveries are signed with them. */
async function dueSecrets(store: HubStore): Promise<(string | null)[]> {
  const deliveries = new Deliveries(store, SECRETS);
  const taken = await deliveries.take(await allDue(deliveries, store), CLAIM_MS);
  return taken.toSorted((a, b) => a.id - b.id).map(({ secret }) => secret);
}

test('an old store with secrets that are not text is migrated', async (context) => {
  const store = await oldStore(context);
  await migrate(store, migrations(store.engine, SECRETS));
  assert.deepEqual(await dueSecrets(store), Object.values(ODD_SECRETS));
});

describe('from SQLite to PostgreSQL', onPostgres, () => {
  async function emptyTarget(context: TestContext): Promise<HubStore> {
    const store = openPostgres<HubTables>(await postgresDatabase(), silent);
    context.after(() => store.close());
    return store;
  }
  const tablesOf = async ({ db }: HubStore) => (await db.introspection.getTables()).length;

  test('everything is there, owed, in order and without claims', async (context) => {
    const { store: source } = await sqliteStore(context);
    const target = await emptyTarget(context);
    await fill(source, 1200, 3);
    const held = { claim: 'of one that is gone', due_at: Date.now() + 3_600_000 };
    await source.db.updateTable('subscription').set(held).where('id', '<=', 1000).execute();
    const before = await statusOf(source);
    assert.deepEqual(await copyStore(source, target, SECRETS), {
      topics: 3,
      subscriptions: 1200,
      requests: 3,
    });
    assert.deepEqual(await statusOf(target), before);
    const deliveries = new Deliveries(target, SECRETS);
    const taken = await deliveries.take(await allDue(deliveries, target), CLAIM_MS);
    assert.deepEqual(
      new Set(taken.map(({ callback }) => callback)),
      new Set(Array.from({ length: 1200 }, (_, index) => callbackOf(index))),
    );
    assert.ok(taken.every(({ secret, version }) => secret === 'hunter2' && version === 2));
    const requests = new Requests(target, SECRETS, () => 0);
    const asked = await requests.take((await requests.due(10)).map(({ id }) => id), CLAIM_MS); // oxfmt-ignore
    assert.deepEqual(
      asked.map(({ callback }) => callback),
      [0, 1, 2].map(callbackOf),
    );
    await new Requests(target, SECRETS, () => 0).add(TOPICS.jsonFeed, callbackOf(0), wish, LIMITS);
  });

  test('a target that has anything in it is refused and left alone', async (context) => {
    const { store: source } = await sqliteStore(context);
    const target = await emptyTarget(context);
    await fill(source, 1, 0);
    await sql`create table notes (text text)`.execute(target.db);
    await assert.rejects(copyStore(source, target, SECRETS), /not empty/);
    assert.equal(await tablesOf(target), 1);
    await sql`drop table notes`.execute(target.db);
    await copyStore(source, target, SECRETS);
    await assert.rejects(copyStore(source, target, SECRETS), /not empty/);
  });

  test('a copy that fails half-way leaves nothing, and may be begun again', async (context) => {
    const { store: source } = await sqliteStore(context);
    const target = await emptyTarget(context);
    await fill(source, 1, 2);
    const callback = (value: string) =>
      source.db.updateTable('intent').set({ callback: value }).where('id', '=', 3);
    await callback('PostgreSQL takes no \0').execute();
    await assert.rejects(copyStore(source, target, SECRETS), /0x00/);
    assert.equal(await tablesOf(target), 0);
    await callback(callbackOf(1)).execute();
    assert.equal((await copyStore(source, target, SECRETS)).requests, 2);
  });

  test('an old store with secrets that are not text is copied', async (context) => {
    const source = await oldStore(context);
    const target = await emptyTarget(context);
    assert.equal((await copyStore(source, target, SECRETS)).subscriptions, 3);
    assert.deepEqual(await dueSecrets(target), Object.values(ODD_SECRETS));
  });

  test('a file that a sidecar has open is refused', async (context) => {
    const { file, store: running } = await sqliteStore(context);
    const target = await emptyTarget(context);
    await fill(running, 1, 0);
    const source = openSqlite<HubTables>(file);
    context.after(() => source.close());
    await assert.rejects(copyStore(source, target, SECRETS), /in use/);
    assert.equal(await tablesOf(target), 0);
  });

  test('the commands copy and show the store, never its secrets', async (context) => {
    const { file, store } = await sqliteStore(context);
    await fill(store, 2, 1);
    await store.close();
    const url = await postgresDatabase();
    const env = { HUB_KEY: 'the key of the tests' };
    const wrong = run('npm', ['run', '-s', 'hub:copy', '--', file, url]);
    await assert.rejects(wrong, /HUB_KEY is not the key/);
    const copied = await run('npm', ['run', '-s', 'hub:copy', '--', file, url], env);
    assert.equal(copied.stdout, 'copied 3 topics, 2 subscriptions, 1 pending requests\n');
    const again = run('npm', ['run', '-s', 'hub:copy', '--', file, url], env);
    await assert.rejects(again, ({ message }: Error) => {
      assert.match(message, /not empty/);
      assert.doesNotMatch(message, /^ +at |hunter2/m);
      return true;
    });
    const ofSqlite = await status({ DATABASE_URL: '', DATA_DIR: join(file, '..') });
    const ofPostgres = await status({ DATABASE_URL: url, DATA_DIR: '/nowhere' });
    assert.equal(ofSqlite.heading, file);
    assert.equal(ofPostgres.heading, 'PostgreSQL');
    const ages = (lines: string[]) =>
      lines.map((line) => line.replaceAll(/\d+ (s|min)\b/g, '# $1'));
    assert.deepEqual(ages(ofPostgres.lines), ages(ofSqlite.lines));
    const [head, atom, , reviews, ...rest] = ages(ofSqlite.lines);
    assert.match(head!, /^topic +version +subscriptions +pending +owed +oldest owed$/);
    assert.match(atom!, /^https:\/\/reviews\.example\/feed\.xml +2 +2 +0 +2 +# s$/);
    assert.match(reviews!, /^https:\/\/reviews\.example\/reviews\.json +2 +0 +1 +0 +-$/);
    assert.match(rest.at(-1)!, /feed\.xml +subscriber\.example +1 +2 +0 +now +# (s|min)$/);
    assert.doesNotMatch(ofSqlite.lines.join('\n'), /hunter2|capability/);
  });
});

test('the status of a store that is not there is refused, and none is made', async (context) => {
  const folder = await temporaryFolder(context);
  await assert.rejects(status({ DATABASE_URL: '', DATA_DIR: folder }), /no store at .*hub\.sqlite/);
  assert.equal(existsSync(join(folder, 'hub.sqlite')), false);
});

test('the status of a store of another version says what to do', async (context) => {
  const { file, store } = await sqliteStore(context);
  await sql`select 1`.execute(store.db); // creates the file
  await assert.rejects(
    status({ DATABASE_URL: '', DATA_DIR: join(file, '..') }),
    /start a sidecar to migrate it/,
  );
});

async function status(env: Record<string, string>): Promise<{ heading: string; lines: string[] }> {
  const { stdout } = await run('npm', ['run', '-s', 'hub:status'], env);
  const [heading, ...lines] = stdout.split('\n').filter((line) => line !== '');
  return { heading: heading!, lines };
}
