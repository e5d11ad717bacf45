import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, sampleEdition } from '../support/edition.ts';

test('an edition of 355 reviews has at most 2,500 files and 15 MiB', async () => {
  const files = await filesOf(await sampleEdition());
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  assert.ok(files.size <= 2_500, `${files.size} files`);
  assert.ok(bytes <= 15 * 1024 * 1024, `${bytes} bytes`);
});
