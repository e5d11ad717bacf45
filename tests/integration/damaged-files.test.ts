import assert from 'node:assert/strict';
import { open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import { fileCache } from '../../sidecar/edition/file-store.ts';
import { meterEdition } from '../../sidecar/metrics/edition-meters.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { recorder } from '../support/edition.ts';
import { editionFolder, openCurrent, publishText } from '../support/edition-folder.ts';
import { bytesOf } from '../support/http.ts';
import { Origin } from '../support/origin.ts';
import { samplesOf } from '../support/samples.ts';
import { sampleApp } from '../support/targets.ts';

/** More than a file that is kept in memory may have. */
const LARGE = 'x'.repeat(600_000);
const CACHED = 500_000;

const DAMAGES: Record<string, (path: string) => Promise<unknown>> = {
  'has a flipped bit': flipBit,
  'is cut short': (path) => truncate(path, 3),
  'is longer': (path) => writeFile(path, 'more', { flag: 'a' }),
  'is gone': (path) => rm(path),
};

/** One state that a digest shows, and one that an open file does not. */
const WHILE_SERVED = ['has a flipped bit', 'is gone'];

/** Files for each way of reading: streamed, small, and those that an edition is opened with. */
const FILES = ['openapi.json', 'robots.txt', 'reviews.json', 'insights-digest.json'];

test('every kept file that is damaged is fetched again after a restart', async (context) => {
  const { source, dataDir, start } = await kept(context);
  const { digest } = (await start()).current.get();
  const folder = join(dataDir, 'editions', digest);
  for (const [at, damage] of Object.values(DAMAGES).entries())
    await damage(join(folder, FILES[at]!));
  const { request, lines, samples } = await start();
  for (const file of FILES) {
    await servesFile(await request(`/${file}`), join(source, file));
    assert.deepEqual(await readFile(join(folder, file)), await readFile(join(source, file)));
  }
  const logged = lines.map(({ level, message }) => [level, message]);
  const again = ['warn', 'a damaged file was fetched again'];
  assert.deepEqual(
    logged,
    Array.from(FILES, () => again),
  );
  const counter = 'reviews_edition_damaged_files_total{outcome="repaired"}';
  assert.equal((await samples()).get(counter), FILES.length);
});

for (const state of WHILE_SERVED) {
  test(`a large file that ${state} while it is served is fetched again`, async (context) => {
    const { source, dataDir, start } = await kept(context);
    const { current, request } = await start();
    await servesFile(await request('/openapi.json'), join(source, 'openapi.json'));
    await DAMAGES[state]!(join(dataDir, 'editions', current.get().digest, 'openapi.json'));
    await servesFile(await request('/openapi.json'), join(source, 'openapi.json'));
    const range = await request('/openapi.json', { range: 'bytes=10-19' });
    assert.deepEqual([range.status, await range.text()], [206, 'x'.repeat(10)]);
  });
}

test('many requests for a damaged file fetch it once', async (context) => {
  const { source, dataDir, start } = await kept(context);
  const origin = await Origin.start(context, source);
  const { current } = await start(origin.url);
  await flipBit(join(dataDir, 'editions', current.get().digest, 'openapi.json'));
  origin.requests.length = 0;
  const { request, lines } = await start(origin.url);
  const responses = await Promise.all(Array.from({ length: 20 }, () => request('/openapi.json')));
  for (const response of responses) await servesFile(response, join(source, 'openapi.json'));
  assert.deepEqual(origin.requests, ['/openapi.json']);
  assert.equal(lines.length, 1);
});

test('a damaged file that the source does not have any more is 503, and shown', async (context) => {
  const { source, dataDir, start } = await kept(context);
  const { digest } = (await start()).current.get();
  const path = join(dataDir, 'editions', digest, 'robots.txt');
  await flipBit(path);
  const good = await readFile(join(source, 'robots.txt'));
  await rm(join(source, 'robots.txt'));
  const { current, request, lines, samples } = await start();
  assert.equal(current.check(Date.now()).ok, true);
  for (let times = 0; times < 3; times++) {
    const response = await request('/robots.txt');
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
    assert.equal(response.headers.get('etag'), null);
  }
  assert.equal((await request('/feed.xml')).status, 200);
  const { ok, damaged_files: damaged } = current.check(Date.now());
  assert.deepEqual([ok, damaged], [false, 1]);
  assert.equal((await samples()).get('reviews_edition_damaged_files'), 1);
  const logged = lines.map(({ level, message }) => [level, message]);
  assert.deepEqual(logged, [['error', 'a damaged file cannot be fetched again']]);
  await writeFile(path, good);
  assert.equal((await request('/robots.txt')).status, 200);
  assert.equal(current.check(Date.now()).ok, true);
});

/** An edition with a large file, and a way to start a sidecar with it again and again. */
async function kept(context: TestContext) {
  const { source, dataDir } = await editionFolder(context);
  await publishText(source, 'openapi.json', LARGE);
  const start = async (from = source) => {
    const { logger, lines } = recorder('warn');
    const { meters, text } = prometheus();
    // So that the large file is streamed.
    const cache = fileCache(CACHED);
    const current = await openCurrent(from, dataDir, { logger, meters, cache });
    meterEdition(meters, current, Date.now);
    const app = await sampleApp({ edition: () => current.get(), logger });
    const request = async (path: string, headers: Record<string, string> = {}) =>
      app.request(path, { headers });
    return { current, request, lines, samples: async () => samplesOf(await text()) };
  };
  return { source, dataDir, start };
}

async function servesFile(response: Response, file: string): Promise<void> {
  const bytes = await bytesOf(response);
  assert.equal(response.status, 200);
  assert.ok(bytes.equals(await readFile(file)), file);
  assert.equal(response.headers.get('etag'), strongETag(bytes));
}

/** In place, as rot does it: the size stays. */
async function flipBit(path: string): Promise<void> {
  await using handle = await open(path, 'r+');
  const position = Math.floor((await handle.stat()).size / 2);
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, position);
  buffer[0]! ^= 4;
  await handle.write(buffer, 0, 1, position);
}
