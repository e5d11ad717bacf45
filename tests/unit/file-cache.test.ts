import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileCache } from '../../sidecar/edition/file-cache.ts';
import { collectGarbage } from '../support/garbage.ts';

/** Returns the names of files that stay in memory when nothing else holds them. */
async function kept(cache: FileCache, names: string): Promise<string> {
  await collectGarbage();
  return [...names].filter((name) => cache.get(name)).join('');
}

/** A cache, the files that were read for it, and a way to ask it for a file of a given size. */
function cacheOf(maxBytes: number) {
  const cache = new FileCache(maxBytes);
  const read: string[] = [];
  const load = (name: string, size: number) =>
    cache.load(name, async () => {
      read.push(name);
      return Buffer.alloc(size, name);
    });
  return { cache, read, load };
}

test('a file is read once, also by requests that come together', async () => {
  const { cache, read, load } = cacheOf(100);
  const [one, other] = await Promise.all([load('a', 10), load('a', 10)]);
  assert.equal(one, other);
  assert.equal(await load('a', 10), one);
  assert.equal(cache.get('a'), one);
  assert.deepEqual(read, ['a']);
});

test('a full cache drops the file that was not used for longest', async () => {
  const { cache, load } = cacheOf(100);
  for (const name of 'abc') await load(name, 30);
  assert.equal(await kept(cache, 'abc'), 'abc');
  cache.get('a');
  await load('d', 30);
  assert.equal(await kept(cache, 'bcad'), 'cad');
  await load('e', 70);
  assert.equal(await kept(cache, 'cade'), 'de');
});

test('a file larger than the cache takes the place of nothing', async () => {
  const { cache, load } = cacheOf(100);
  await load('a', 60);
  assert.equal((await load('b', 101)).length, 101);
  assert.equal(await kept(cache, 'ab'), 'a');
});

test('a file that is still held is found again after it went, with its bytes', async () => {
  const { read, load } = cacheOf(100);
  const held = await load('a', 80);
  const part = held.subarray(10, 20);
  await load('b', 80);
  const again = await load('a', 80);
  assert.equal(again.buffer, part.buffer);
  assert.deepEqual(again, held);
  assert.deepEqual(read, ['a', 'b']);
});

test('a read that failed is tried again', async () => {
  const { cache, load } = cacheOf(100);
  await assert.rejects(
    cache.load('a', () => Promise.reject(new Error('damaged'))),
    /damaged/,
  );
  assert.equal((await load('a', 10)).length, 10);
});
