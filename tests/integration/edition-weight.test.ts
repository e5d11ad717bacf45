import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleEdition } from '../support/edition.ts';

const client = await sampleEdition();

test('an edition of 355 reviews has at most 2,500 files and 15 MiB', async () => {
  const entries = await readdir(client, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files) bytes += (await stat(join(parentPath, name))).size;
  assert.ok(files.length <= 2_500, `${files.length} files`);
  assert.ok(bytes <= 15 * 1024 * 1024, `${bytes} bytes`);
});
