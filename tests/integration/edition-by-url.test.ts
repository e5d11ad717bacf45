import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { OriginSource } from '../../sidecar/edition/origin-source.ts';
import { UnusableEditionError } from '../../sidecar/edition/source.ts';
import { recorder } from '../support/edition.ts';
import { editionFolder, openCurrent, publishText, putFile } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { Origin } from '../support/origin.ts';
import { readManifest } from '../support/pages.ts';
import { serveSample } from '../support/targets.ts';

/** An origin that does not begin to answer is given up after this long. */
const SHORT_MS = 100;
const AT_ONCE = 8;
const ROBOTS = 'robots.txt';

test('every file of an edition is fetched, some at a time, and verified', async (context) => {
  const { origin, source, open } = await published(context);
  const edition = (await open()).get();
  const manifest = await readManifest(source);
  const files = manifest.resources.flatMap(({ encodings }) => ['', ...Object.keys(encodings)]);
  assert.equal(new Set(origin.requests).size, files.length + 1);
  assert.equal(origin.requests[0], '/edition.json');
  assert.ok(origin.mostAtOnce > 1 && origin.mostAtOnce <= AT_ONCE, String(origin.mostAtOnce));
  for (const { path, size } of manifest.resources) {
    assert.equal(edition.files.get(path)?.identity.size, size, path);
  }
});

test('an unchanged edition costs one conditional request, a new one the files that changed', async (context) => {
  const { origin, source, open } = await published(context);
  const current = await open();
  origin.requests.length = 0;
  assert.equal(await current.refresh(), 'unchanged');
  assert.deepEqual(origin.requests, ['/edition.json']);
  await publishText(source, ROBOTS, 'User-agent: someone\n');
  origin.requests.length = 0;
  assert.equal(await current.refresh(), 'adopted');
  assert.deepEqual(origin.requests, ['/edition.json', '/robots.txt']);
});

test('files that a failed attempt fetched are not fetched again', async (context) => {
  const { origin, source, open } = await published(context);
  const { path, file } = (await readManifest(source)).resources.at(-1)!;
  for (const place of [path, `/${file}`]) {
    origin.instead.set(place, (_, response) => response.writeHead(404).end());
  }
  await assert.rejects(open(), UnusableEditionError);
  const first = origin.requests.length;
  origin.instead.clear();
  origin.requests.length = 0;
  await open();
  assert.ok(first > 2 * AT_ONCE, String(first));
  assert.ok(origin.requests.length <= 1 + 2 * AT_ONCE, origin.requests.join(' '));
});

test('a bucket, which knows files by their names alone, is a source', async (context) => {
  const { origin, source, open } = await published(context);
  const { resources } = await readManifest(source);
  const folders = resources.filter(({ path }) => path.endsWith('/'));
  assert.ok(folders.length > 3);
  for (const [index, { path }] of folders.entries()) {
    origin.instead.set(path, (_, response) => {
      // A listing, or no permission to list.
      response.writeHead(index % 2 === 0 ? 200 : 403).end('<ListBucketResult/>');
    });
  }
  const edition = (await open()).get();
  for (const { path } of folders) assert.ok(edition.files.get(path), path);
});

test('the error for a missing edition names its address', async (context) => {
  const { origin, source, open } = await published(context);
  await rm(join(source, 'index.html'));
  await assert.rejects(open(), ({ message }: Error) => {
    assert.ok(message.includes(`${origin.url}/: the response was 404`), message);
    assert.ok(message.includes(`${origin.url}/index.html: the response was 404`), message);
    return true;
  });
  await rm(join(source, 'edition.json'));
  await assert.rejects(open(), { message: `${origin.url}/edition.json: the response was 404` });
});

test('an origin that is slow to answer, or stops in the middle, is given up', async (context) => {
  const { origin, source, open } = await published(context);
  await open();
  const current = await open(SHORT_MS);
  const { digest } = current.get();
  await publishText(source, ROBOTS, 'new\n');
  for (const path of ['/edition.json', '/robots.txt']) {
    for (const begin of [false, true]) {
      origin.instead.set(path, (_, response) => {
        if (begin) response.writeHead(200, { 'content-length': 4 }).write('n');
      });
      assert.equal(await current.refresh(), 'failed', path);
      origin.instead.clear();
    }
  }
  assert.equal(current.get().digest, digest);
  assert.equal(await (await open()).refresh(), 'adopted');
});

test('a redirect on the same host is followed', async (context) => {
  const { origin, source, open } = await published(context);
  const current = await open();
  await publishText(source, ROBOTS, 'moved\n');
  await putFile(source, 'elsewhere.txt', 'moved\n');
  origin.instead.set('/robots.txt', (_, response) => {
    response.writeHead(302, { location: 'elsewhere.txt' }).end('over there');
  });
  assert.equal(await current.refresh(), 'adopted');
});

test('a restart without the origin serves the last good edition, and takes the next', async (context) => {
  const { origin, source, open } = await published(context);
  const { digest } = (await open()).get();
  await origin.die();
  const current = await open();
  assert.equal(current.get().digest, digest);
  assert.equal(await current.refresh(), 'failed');
  await publishText(source, ROBOTS, 'new\n');
  await origin.comeBack();
  assert.equal(await current.refresh(), 'adopted');
  assert.notEqual(current.get().digest, digest);
});

test('without an origin and without an edition it does not start', async (context) => {
  const { origin, open } = await published(context);
  await origin.die();
  await assert.rejects(open(), /http:\/\/127\.0\.0\.1:\d+\/edition\.json: .*ECONNREFUSED/);
});

test('a look asked for while one is under way is another look', async (context) => {
  const { origin, source, open } = await published(context);
  const current = await open();
  let release = () => {};
  origin.instead.set('/edition.json', (_, response) => {
    origin.instead.clear();
    release = () => response.writeHead(304).end();
  });
  const first = current.refresh();
  await eventually(() => origin.instead.size === 0);
  await publishText(source, ROBOTS, 'new\n');
  const second = current.refresh();
  release();
  assert.deepEqual([await first, await second], ['unchanged', 'adopted']);
});

test('another sidecar may be the origin', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const first = await openCurrent(source, join(dataDir, 'first'));
  const url = await serveSample(context, { edition: () => first.get() });
  const current = await openCurrent(url, dataDir);
  const { encoded } = current.get().files.get('/reviews.json')!;
  assert.deepEqual(Object.keys(encoded), ['br', 'gzip']);
});

test('credentials of the address are sent to the origin and named nowhere', async (context) => {
  const { origin, source, dataDir } = await published(context);
  const { logger, lines } = recorder('debug');
  const address = origin.url.replace('//', '//user:s3cret@');
  const current = await openCurrent(address, dataDir, { logger });
  let authorization: string | undefined;
  origin.instead.set('/edition.json', (request, response) => {
    ({ authorization } = request.headers);
    response.writeHead(500).end();
  });
  await publishText(source, ROBOTS, 'new\n');
  assert.equal(await current.refresh(), 'failed');
  await origin.die();
  assert.equal(await current.refresh(), 'failed');
  assert.equal(authorization, `Basic ${Buffer.from('user:s3cret').toString('base64')}`);
  assert.ok(lines.length >= 2);
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/);
});

async function published(context: TestContext) {
  const { source, dataDir } = await editionFolder(context);
  const origin = await Origin.start(context, source);
  const open = (startMs?: number) =>
    openCurrent('', dataDir, { source: new OriginSource(origin.url, startMs) });
  return { origin, source, dataDir, open };
}
