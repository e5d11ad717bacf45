import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleEdition } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';

const client = await sampleEdition();

test('an edition of 355 reviews has at most 2,500 files and 15 MiB', async () => {
  const entries = await readdir(client, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files) bytes += (await stat(join(parentPath, name))).size;
  assert.ok(files.length <= 2_500, `${files.length} files`);
  assert.ok(bytes <= 15 * 1024 * 1024, `${bytes} bytes`);
});

test('no encoded form is below 1 KB, and only large files have two', async () => {
  for (const { path, size, encodings } of (await readManifest(client)).resources) {
    for (const form of Object.values(encodings)) assert.ok(form.size >= 1024, path);
    if (encodings.gzip) assert.ok(size >= 64 * 1024, path);
  }
});
