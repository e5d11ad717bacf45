import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { reviewLines } from '../../src/dataset/document.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { cachedIndex } from '../../sidecar/edition/index-cache.ts';
import { readFile } from 'node:fs/promises';
import { sampleEdition, temporaryFolder } from '../support/edition.ts';

const QUERIES = ['water', 'on time', 'e', 'he was', '. T', ' ', 'qx', '!'];

test('an index that was kept answers as the one that was made', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const made = answers(lines, await cachedIndex(folder, lines));
  assert.equal((await readdir(folder)).length, 1);
  assert.deepEqual(answers(lines, await cachedIndex(folder, lines)), made);
  assert.ok(made.some(({ matched }) => matched > 0));
});

test('a damaged one is made anew', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const made = answers(lines, await cachedIndex(folder, lines));
  const [name] = await readdir(folder);
  const bytes = await readFile(join(folder, name!));
  for (const damaged of [Buffer.alloc(0), bytes.subarray(0, 100), Buffer.from('not an index')]) {
    await writeFile(join(folder, name!), damaged);
    assert.deepEqual(answers(lines, await cachedIndex(folder, lines)), made);
  }
});

async function sampleLines() {
  return reviewLines(await readFile(join(await sampleEdition(), 'reviews.json')));
}

function answers(
  lines: ReturnType<typeof reviewLines>,
  snapshot: Awaited<ReturnType<typeof cachedIndex>>,
) {
  const index = new SearchIndex(lines, { technicians: [], services: [] }, snapshot);
  return QUERIES.map((query) => index.search({ query, limit: 100 }));
}
