import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileCache } from '../../sidecar/edition/file-store.ts';
import { recorder } from '../support/edition.ts';
import {
  changeManifest,
  editionFolder,
  openCurrent,
  publishText,
} from '../support/edition-folder.ts';
import { Origin } from '../support/origin.ts';

for (const [what, size, maxBytes, reason] of [
  ['is larger than the limit', 30_000_000, 30_000_000, 'has \\d{8} bytes, more than 30000000'],
  ['does not fit the disk', 2 ** 52, Infinity, 'is full: .* needs \\d+ bytes, and \\d+ are free'],
] as const) {
  test(`an edition that ${what} leaves the last one in place`, async (context) => {
    const { source, dataDir } = await editionFolder(context);
    const origin = await Origin.start(context, source);
    const { logger, lines } = recorder('warn');
    const current = await openCurrent(origin.url, dataDir, { logger, maxBytes });
    const served = current.get();
    await declareSize(source, size);
    origin.requests.length = 0;
    assert.equal(await current.refresh(), 'failed');
    assert.match(JSON.stringify(lines), new RegExp(reason));
    assert.deepEqual(origin.requests, ['/edition.json'], 'nothing of it is fetched');
    assert.equal(current.get(), served);
    assert.deepEqual(await stagingIn(dataDir), []);
  });
}

test('a file larger than the cache is streamed, a smaller one is kept in memory for the next edition too', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir, { cache: fileCache(2000) });
  const { files } = current.get();
  const [small, large] = ['/robots.txt', '/openapi.json'].map((path) => files.get(path)!.identity);
  assert.ok(small!.size < 2000 && large!.size > 2000);
  assert.deepEqual([files.isStreamed(small!), files.isStreamed(large!)], [false, true]);
  assert.equal((await files.bytes(small!)).length, small!.size);
  await publishText(source, 'feed.xml', 'new\n');
  assert.equal(await current.refresh(), 'adopted');
  assert.ok(current.get().files.cached(small!));
});

test('a disk that gets full on the way leaves the last edition in place', async (context) => {
  const dataDir = await fewInodes(context, 400);
  if (!dataDir) return;
  const { source } = await editionFolder(context);
  const { logger, lines } = recorder('warn');
  const current = await openCurrent(source, dataDir, { logger });
  const served = current.get();
  for (let other = 0; (await statfs(dataDir)).ffree > 20; other++) {
    await mkdir(join(dataDir, `other-${other}`));
  }
  await publishText(source, 'robots.txt', 'new\n');
  assert.equal(await current.refresh(), 'failed');
  assert.match(JSON.stringify(lines), new RegExp(`DATA_DIR ${dataDir} is full: ENOSPC`));
  assert.equal(current.get(), served);
  assert.deepEqual(await stagingIn(dataDir), []);
});

async function declareSize(source: string, size: number): Promise<void> {
  await changeManifest(source, ({ resources }) => {
    const resource = resources.find(({ file }) => file === 'robots.txt')!;
    resource.size = size;
    resource.etag = `"${'A'.repeat(43)}"`;
    resource.encodings = {};
  });
}

async function stagingIn(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'editions'));
  return names.filter((name) => name.endsWith('.staging'));
}

/** A file system of its own, which only root may mount; undefined, and a skipped test, otherwise. */
async function fewInodes(context: TestContext, inodes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-test-'));
  const options = ['-t', 'tmpfs', '-o', `nr_inodes=${inodes}`, 'tmpfs', folder];
  const mounted = spawnSync('mount', options).status === 0;
  context.after(async () => {
    if (mounted) execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  if (mounted) return folder;
  context.skip('a file system cannot be mounted here');
  return undefined;
}
