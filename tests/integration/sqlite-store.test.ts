import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { HubUnavailableError } from '../../sidecar/hub/availability.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import { isUnavailable, UnusableFileError } from '../../sidecar/store/errors.ts';
import { openSqlite } from '../../sidecar/store/sqlite.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { openTestHub } from '../support/hub.ts';
import { TOPICS } from '../support/topic-edition.ts';

/** Opens a store with a table of numbers, and its file beside it as another process does. */
async function openNumbers(context: TestContext, file: string) {
  const store = openSqlite<{ numbers: { value: number } }>(file);
  context.after(() => store.close());
  await store.db.schema.createTable('numbers').addColumn('value', 'integer').execute();
  const other = new DatabaseSync(file);
  context.after(() => other.close());
  return { store, other };
}

test('a commit is on the disk, and readers do not wait for writers', async (context) => {
  const store = openSqlite(join(await temporaryFolder(context), 'new/hub.sqlite'));
  context.after(() => store.close());
  const pragma = async (name: string) =>
    Object.values((await sql<object>`${sql.raw(`pragma ${name}`)}`.execute(store.db)).rows[0]!)[0];
  assert.equal(await pragma('journal_mode'), 'wal');
  assert.equal(await pragma('synchronous'), 2);
  assert.equal(await pragma('foreign_keys'), 1);
});

test('the file and those beside it are for their owner alone', async (context) => {
  const folder = join(await temporaryFolder(context), 'new');
  await openNumbers(context, join(folder, 'hub.sqlite'));
  const names = (await readdir(folder)).toSorted();
  assert.deepEqual(names, ['hub.sqlite', 'hub.sqlite-shm', 'hub.sqlite-wal']);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  for (const name of names) assert.equal(await modeOf(join(folder, name)), 0o600, name);
  assert.equal(await modeOf(folder), 0o700);
});

test('a file that others could read is for its owner alone once it is opened', async (context) => {
  const file = join(await temporaryFolder(context), 'hub.sqlite');
  const first = openSqlite(file);
  await sql`select 1`.execute(first.db);
  await first.close();
  await chmod(file, 0o644);
  const second = openSqlite(file);
  context.after(() => second.close());
  await sql`select 1`.execute(second.db);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

const UNUSABLE: Record<string, (file: string) => Promise<unknown>> = {
  'is damaged': (file) => writeFile(file, 'this is no database'.repeat(500)),
  'is empty': (file) => writeFile(file, ''),
  'cannot be opened': (file) => mkdir(file),
};
for (const [what, make] of Object.entries(UNUSABLE)) {
  test(`a file that ${what} is refused each time, and left as it is`, async (context) => {
    const file = join(await temporaryFolder(context), 'hub.sqlite');
    await make(file);
    const content = () => readFile(file).catch(() => undefined);
    const before = await content();
    const store = openSqlite(file);
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(sql`select 1`.execute(store.db), UnusableFileError);
    }
    assert.deepEqual(await content(), before);
  });
}

test('the clock is the database’s', async (context) => {
  const store = openSqlite(':memory:');
  context.after(() => store.close());
  const read = await store.db.selectNoFrom(store.now(5000).as('now')).executeTakeFirstOrThrow();
  assert.ok(Math.abs(read.now - 5000 - Date.now()) < 1000);
});

test('a full disk refuses requests with an error of its own, and takes them again after', async (context) => {
  const file = join(await temporaryFolder(context), 'hub.sqlite');
  const { callbacks, hub, send, settle, subscribe, store, news } = await openTestHub(context, {
    engine: { open: async (clock) => openSqlite<HubTables>(file, clock) },
  });
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
  await sql`pragma max_page_count = ${sql.raw(String(rows[0]!.page_count))}`.execute(store.db);
  const secret = 'x'.repeat(199);
  // Accepted requests are not settled here: their outcomes wait until the disk has room again.
  await assert.rejects(async () => {
    for (let count = 0; count < 100; count++) {
      await send({
        'hub.mode': 'subscribe',
        'hub.topic': TOPICS.atom,
        'hub.callback': callbacks.url(`/${count}/${'x'.repeat(1900)}`),
        'hub.secret': secret,
      });
    }
  }, HubUnavailableError);
  assert.equal((await hub.check()).ok, false);
  await sql`pragma max_page_count = 100000`.execute(store.db);
  await settle();
  assert.equal((await hub.check()).ok, true);
  news();
  await subscribe('/after');
  assert.deepEqual(news(), ['GET subscribe /after']);
});

test('another process that writes is waited for', async (context) => {
  const file = join(await temporaryFolder(context), 'hub.sqlite');
  const { store, other } = await openNumbers(context, file);
  await store.transaction(async (trx) => {
    await trx.selectFrom('numbers').selectAll().execute();
    other.prepare('select * from numbers').all(); // reads concurrently
    await trx.insertInto('numbers').values({ value: 1 }).execute();
  });
  assert.equal(other.prepare('select value from numbers').get()!.value, 1);
});

test('a process that keeps the file to itself is not waited for again and again', async (context) => {
  const file = join(await temporaryFolder(context), 'hub.sqlite');
  const { store, other } = await openNumbers(context, file);
  other.exec('begin immediate');
  const started = performance.now();
  await assert.rejects(
    store.transaction(async () => {}),
    isUnavailable,
  );
  // SQLite blocks this process while it waits.
  assert.ok(performance.now() - started < 2000);
});
