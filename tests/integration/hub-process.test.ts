import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onLoopback } from '../support/hub-process.ts';
import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { eventually } from '../support/eventually.ts';
import type { Received } from '../support/callback-server.ts';

const isPost = ({ method }: Received) => method === 'POST';

test('a lost ping is made good by the next look at the edition', async (context) => {
  const { start, subscribe, received, edition } = await onLoopback(context);
  const { url } = await start({ REFRESH_SECONDS: '1' });
  await subscribe(url, '/a');
  await edition.put(1);
  assert.equal(edition.versionOf((await received(isPost)).body), 1);
});

test('at debug, turns, searches, looks for an edition and exchanges of the hub say a line each', async (context) => {
  const { start, subscribe } = await onLoopback(context);
  const { url, lines } = await start({ REFRESH_SECONDS: '1', LOG_LEVEL: 'debug' });
  await subscribe(url, '/a');
  await fetch(`${url}api/reviews/search?rating=5&private+words=1`);
  const said = (name: string) => lines.find(({ message }) => message === name);
  await eventually(() => said('looked for an edition') !== undefined);
  assert.equal(said('looked for an edition')!.outcome, 'unchanged');
  assert.deepEqual(said('search')!.parameters, ['rating']);
  assert.equal(said('turn')!.waiting, 0);
  assert.equal(said('exchanges begin')!.kind, 'verification');
});

test('SIGTERM waits for a delivery under way, begins none, and exits 0 within ten seconds', async (context) => {
  const { start, subscribe, callbacks, received, edition, request } = await onLoopback(context);
  const { url, child, exited } = await start();
  for (const path of ['/a', '/b', '/c', '/d']) await subscribe(url, path);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  callbacks.handle(async (_, response) => {
    await released;
    response.writeHead(204).end();
  });
  await edition.put(1);
  await request(url, { mode: 'publish', url: edition.topic() });
  await received(isPost);
  const signalled = performance.now();
  child.kill('SIGTERM');
  setTimeout(release, 500);
  assert.equal(await exited, 0);
  assert.ok(performance.now() - signalled < 10_000);
  const before = callbacks.requests.filter(isPost).map(({ path }) => path);
  assert.equal(before.length, 2, 'two connections a host, and none begun later');

  await start();
  await received(() => callbacks.requests.filter(isPost).length === 4);
  const all = callbacks.requests.filter(isPost).map(({ path }) => path);
  assert.deepEqual(all.sort(), ['/a', '/b', '/c', '/d']);
});

test('SIGTERM cuts what takes too long, and that is no failure', async (context) => {
  const { start, subscribe, callbacks, received, edition, request } = await onLoopback(context);
  const { url, child, exited } = await start({ HUB_RETRY_SECONDS: '600,600' });
  await subscribe(url, '/a');
  callbacks.handle(() => {});
  await edition.put(1);
  await request(url, { mode: 'publish', url: edition.topic() });
  await received(isPost);
  const signalled = performance.now();
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  assert.ok(performance.now() - signalled < 10_000);
  callbacks.handle((_, response) => response.end());
  await start();
  await received(() => callbacks.requests.filter(isPost).length === 2);
});

test('a damaged store file takes down the hub alone, and is left as it is', async (context) => {
  const { start, dataDir, formOf, request } = await onLoopback(context);
  const file = join(dataDir, 'hub.sqlite');
  await mkdir(dataDir, { recursive: true });
  const before = randomBytes(8192);
  await writeFile(file, before);
  const { url, lines } = await start();
  const form = formOf('/a');
  assert.equal((await request(url, form)).status, 503);
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  assert.equal(await statusOf('readyz'), 503);
  for (const path of ['healthz', 'reviews.json', 'api/reviews/search?limit=1']) {
    assert.equal(await statusOf(path), 200, path);
  }
  assert.deepEqual(await readFile(file), before);
  const loud = lines.filter(({ level }) => level === 'error');
  assert.equal(loud.length, 1);
  assert.match(String(loud[0]!.error), /hub\.sqlite cannot be used: .*Put a sound copy/);
});

test('a key file that was cut off, beside a store with secrets, takes down the hub alone', async (context) => {
  const { start, dataDir, formOf, request } = await onLoopback(context);
  const form = formOf('/a');
  const first = await start({ HUB_KEY: '' });
  assert.equal((await request(first.url, { ...form, secret: 'open sesame' })).status, 202);
  first.child.kill('SIGKILL');
  await first.exited;
  const key = join(dataDir, 'hub-key');
  const whole = await readFile(key, 'utf8');
  await writeFile(key, '');

  const { url, child, exited, lines } = await start({ HUB_KEY: '' });
  assert.equal((await request(url, form)).status, 503);
  assert.equal((await fetch(`${url}reviews.json`)).status, 200);
  const loud = lines.filter(({ level }) => level === 'error');
  assert.deepEqual(
    loud.map(({ message }) => message),
    [
      'a secret was cut off and is replaced: restore its file from a backup',
      'the hub failed; everything else works',
    ],
  );
  assert.match(String(loud[1]!.error), /HUB_KEY is not the key .*: restore that key/);
  child.kill('SIGKILL');
  await exited;

  await writeFile(key, whole);
  const restored = await start({ HUB_KEY: '' });
  assert.equal((await request(restored.url, form)).status, 202);
});

test('a database that comes back is used again', onPostgres, async (context) => {
  await using server = await PostgresServer.start();
  const { start, formOf, request, subscribe } = await onLoopback(context);
  const databaseUrl = await server.database();
  await server.crash();
  const { url, child } = await start({ DATABASE_URL: databaseUrl });
  const form = formOf('/a');
  const refused = await request(url, form);
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after')!, /^\d+$/);
  assert.equal((await fetch(`${url}reviews.json`)).status, 200);
  await server.run();
  await eventually(async () => (await request(url, form)).status === 202);
  await server.crash();
  assert.equal((await request(url, form)).status, 503);
  assert.equal(child.exitCode, null, 'a lost connection ends no process');
  await server.run();
  await eventually(async () => (await request(url, form)).status === 202);
  await subscribe(url, '/a');
});
