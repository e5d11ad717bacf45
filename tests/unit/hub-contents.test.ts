import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Contents } from '../../sidecar/hub/contents.ts';
import type { Content } from '../../sidecar/hub/store/topics.ts';

const TOPIC = 1;

function content(version: number): Content {
  const bytes = Buffer.from(`version ${version}`);
  return { topicId: TOPIC, url: 'https://example/feed.xml', version, etag: '', type: '', bytes };
}

/** A store whose reads take a turn, and what it has. */
function storeWith(...reads: (number | Error)[]) {
  let asked = 0;
  const newest = async (): Promise<Content> => {
    const next = reads[Math.min(asked++, reads.length - 1)]!;
    await nextTurn();
    if (next instanceof Error) throw next;
    return content(next);
  };
  return { contents: new Contents({ newest }), asked: () => asked };
}

test('a content is read once for all who want it', async () => {
  const { contents, asked } = storeWith(3);
  const taken = await Promise.all(Array.from({ length: 200 }, () => contents.take(TOPIC, 3)));
  taken.push(await contents.take(TOPIC, 2));
  assert.equal(new Set(taken).size, 1);
  assert.equal(asked(), 1);
});

test('a newer version is read when it is wanted, also by one read that began before it came', async () => {
  const { contents, asked } = storeWith(1, 2);
  const [first, second] = await Promise.all([contents.take(TOPIC, 1), contents.take(TOPIC, 2)]);
  assert.deepEqual([first.version, second.version, asked()], [1, 2, 2]);
});

test('a read that failed is told to who waited, and tried again by who comes next', async () => {
  const { contents, asked } = storeWith(new Error('the disk is away'), 1);
  const waiting = [contents.take(TOPIC, 1), contents.take(TOPIC, 1)];
  for (const one of waiting) await assert.rejects(one, /the disk is away/);
  assert.equal((await contents.take(TOPIC, 1)).version, 1);
  assert.equal(asked(), 2);
});

test('what is forgotten is read again', async () => {
  const { contents, asked } = storeWith(1);
  await contents.take(TOPIC, 1);
  contents.forget();
  await contents.take(TOPIC, 1);
  assert.equal(asked(), 2);
});
