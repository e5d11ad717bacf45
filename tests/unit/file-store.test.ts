import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { FileStore } from '../../sidecar/edition/file-store.ts';
import { editionFiles } from '../../sidecar/edition/source.ts';
import { VerifiedFiles } from '../../sidecar/edition/verified-files.ts';
import { strongETag } from '../../src/edition/etag.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import { temporaryFolder } from '../support/fixtures.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

test('files that were read are in memory, as many as fit 32 MB and the newest always', async (context) => {
  const store = await storeOf(context, 100, 500 * KILOBYTE);
  let most = 0;
  for (let number = 0; number < 100; number++) {
    const { identity } = store.get(`/${number}.txt`)!;
    const bytes = await store.read(identity);
    assert.equal(store.cached(identity.file), bytes, 'the newest');
    most = Math.max(most, inMemory(store, 100));
  }
  assert.ok(inMemory(store, 100) > 10 * MEGABYTE, 'after the first time it was full, too');
  assert.ok(most > 30 * MEGABYTE && most <= 32 * MEGABYTE, String(most));
});

test('a file that is read twice counts once', async (context) => {
  const store = await storeOf(context, 2, 500 * KILOBYTE);
  const [first, second] = [store.get('/0.txt')!.identity, store.get('/1.txt')!.identity];
  await store.read(first);
  for (let times = 0; times < 100; times++) await store.read(second);
  assert.ok(store.cached(first.file) && store.cached(second.file));
});

test('a large file is streamed, and not in memory', async (context) => {
  const store = await storeOf(context, 1, 600 * KILOBYTE);
  const { identity } = store.get('/0.txt')!;
  assert.equal(await store.read(identity), undefined);
  const piece = await buffer(await store.stream(identity, { start: 5, end: 14 }));
  assert.equal(piece.length, 10);
  assert.equal(store.cached(identity.file), undefined);
  assert.equal((await store.bytes(identity)).length, 600 * KILOBYTE);
});

function inMemory(store: FileStore, count: number): number {
  let bytes = 0;
  for (let number = 0; number < count; number++) {
    bytes += store.cached(`${number}.txt`)?.length ?? 0;
  }
  return bytes;
}

async function storeOf(
  context: Parameters<typeof temporaryFolder>[0],
  count: number,
  size: number,
): Promise<FileStore> {
  const folder = await temporaryFolder(context);
  await mkdir(folder, { recursive: true });
  const resources: Manifest['resources'] = [];
  for (let number = 0; number < count; number++) {
    const file = `${number}.txt`;
    const bytes = Buffer.alloc(size, file);
    await writeFile(join(folder, file), bytes);
    const etag = strongETag(bytes);
    const type = 'text/plain';
    resources.push({ path: `/${file}`, file, type, size, etag, headers: 0, encodings: {} });
  }
  const time = '2026-01-01T00:00:00Z';
  const manifest: Manifest = {
    format: 1,
    edition: 'test',
    base_url: 'https://reviews.example',
    last_modified: time,
    updated_at: time,
    since: null,
    names: { technicians: [], services: [] },
    header_sets: [{}],
    resources,
  };
  return new FileStore(
    manifest,
    Buffer.from('{}'),
    new VerifiedFiles(folder, editionFiles(manifest)),
  );
}
