import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileStore } from '../../sidecar/edition/file-store.ts';
import { reviewFinder } from '../../sidecar/edition/review-records.ts';
import type { ReviewIds, ReviewLines } from '../../src/dataset/document.ts';

test('a file that could not be read is read again for the next request', async () => {
  let reads = 0;
  const bytes = async () => {
    if (++reads === 1) throw new Error('damaged');
    return Buffer.from('{}');
  };
  const files = { get: () => ({}), bytes } as unknown as FileStore;
  const ids = { positionOf: () => undefined } as unknown as ReviewIds;
  const find = reviewFinder(files, {} as ReviewLines, ids);
  await assert.rejects(find('one'), /damaged/);
  assert.equal(await find('one'), undefined);
  const read = reads;
  await find('other');
  assert.equal(reads, read, 'what was read is kept');
});
