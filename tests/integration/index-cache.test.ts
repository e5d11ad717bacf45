import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { reviewLines } from '../../src/dataset/document.ts';
import { MANIFEST_FILE, manifest } from '../../src/edition/manifest.ts';
import { indexReviews, SearchIndex } from '../../src/search/search-index.ts';
import { keptIndex, openEdition } from '../../sidecar/edition/edition.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { Random } from '../support/random.ts';

const QUERIES = ['water', 'on time', 'e', 'he was', '. T', ' ', 'qx', '!'];
const ETAG = '"the digest of reviews.json"';

test('an index that was kept answers as the one that was made', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const made = answers(lines, await keptIndex(folder, ETAG, () => indexReviews(lines)));
  assert.equal((await readdir(folder)).length, 1);
  assert.deepEqual(answers(lines, await keptIndex(folder, ETAG, () => indexReviews(lines))), made);
  assert.ok(made.some(({ matched }) => matched > 0));
});

test('a damaged index is made again', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const index = await keptIndex(folder, ETAG, () => indexReviews(lines));
  const made = answers(lines, index);
  const file = join(folder, (await readdir(folder))[0]!);
  const bytes = await readFile(file);
  const random = new Random(12);
  const damages: Uint8Array[] = [
    Buffer.alloc(0),
    bytes.subarray(0, 100),
    Buffer.from('not an index'),
  ];
  for (let flips = 0; flips < 40; flips++) damages.push(flipped(bytes, random));
  for (const damaged of damages) {
    await writeFile(file, damaged);
    assert.deepEqual(answers(lines, await keptIndex(folder, ETAG, () => index)), made);
    assert.ok((await readFile(file)).equals(bytes), 'and kept for the next start');
  }
});

test('an index that version 1.0.0 kept is made again', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const index = indexReviews(lines);
  const made = answers(lines, await keptIndex(folder, ETAG, () => index));
  const file = join(folder, (await readdir(folder))[0]!);
  const bytes = serialize(index);
  for (let format = 1; format < 20; format++) {
    const head = `${process.versions.v8} ${format} ${ETAG}\n`;
    const seal = createHash('sha256').update(head).update(bytes).digest();
    await writeFile(file, Buffer.concat([seal, bytes]));
    assert.deepEqual(answers(lines, await keptIndex(folder, ETAG, () => index)), made);
  }
});

test('a kept index takes no more memory than its file', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  await keptIndex(folder, ETAG, () => indexReviews(lines));
  const { days, text } = await keptIndex(folder, ETAG, () => assert.fail('it is read'));
  const buffers = [days, text.forward.tokens, text.forward.starts].map(({ buffer }) => buffer);
  assert.equal(new Set(buffers).size, 1);
  const { size } = await stat(join(folder, (await readdir(folder))[0]!));
  assert.ok(buffers[0]!.byteLength <= size);
});

test('the index of other reviews is not used', async (context) => {
  const folder = await temporaryFolder(context);
  const lines = await sampleLines();
  const others = reviewLines(
    Buffer.from(lines.bytes.toString().replaceAll(/"text":"(?:[^"\\]|\\.)*"/g, '"text":"qx"')),
  );
  assert.equal(others.count, lines.count);
  const made = answers(lines, await keptIndex(folder, ETAG, () => indexReviews(lines)));
  await keptIndex(folder, '"other"', () => indexReviews(others));
  assert.deepEqual(answers(lines, await keptIndex(folder, ETAG, () => indexReviews(lines))), made);
});

test('no index is written into a folder that is not the program’s own', async (context) => {
  const { source: folder } = await editionFolder(context);
  const before = await readdir(folder);
  const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
  const parsed = manifest.parse(JSON.parse(manifestBytes.toString()));
  const { search } = await openEdition({ digest: 'x', folder, manifest: parsed, manifestBytes });
  assert.ok(search.search({ limit: 1 }).matched > 0);
  assert.deepEqual(await readdir(folder), before);
});

function flipped(bytes: Buffer, random: Random): Uint8Array {
  const position = random.below(bytes.length);
  return bytes.with(position, bytes[position]! ^ (1 << random.below(8)));
}

async function sampleLines() {
  return reviewLines(await readFile(join(await sampleEdition(), 'reviews.json')));
}

function answers(
  lines: ReturnType<typeof reviewLines>,
  snapshot: Awaited<ReturnType<typeof keptIndex>>,
) {
  const index = new SearchIndex(lines, {}, undefined, snapshot);
  return QUERIES.map((query) => index.search({ query, limit: 100 }));
}
