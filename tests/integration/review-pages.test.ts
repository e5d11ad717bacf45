import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEdition } from '../../sidecar/edition/edition.ts';
import { pageRenderer } from '../../src/page-renderer.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { reviewDocumentPath, reviewPath } from '../../src/paths.ts';
import { monthChanges } from '../../src/schema/journal.ts';
import { goneBody, reviewDocument } from '../../src/schema/review-document.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';
import { sampleApp } from '../support/targets.ts';

const OF_A_REVIEW = /^\/reviews\/[0-9A-Z]{26}(\/|\.json)$/;

const client = await sampleEdition();
const dataset = await readDataset(client);
const sample = await readManifest(client);
const withoutReviews = await openEdition({
  digest: 'without reviews',
  folder: client,
  manifest: {
    ...sample,
    resources: sample.resources.filter(({ path }) => !OF_A_REVIEW.test(path)),
  },
  manifestBytes: await readFile(join(client, MANIFEST_FILE)),
});
/** Serves the sample edition as if no review of it had a file. */
const computing = await sampleApp({
  edition: () => withoutReviews,
  renderPage: pageRenderer(join(client, '../server/entry.mjs')),
});

test('the sidecar computes the bytes, the ETag and the headers of the files', async () => {
  const files = await sampleApp();
  const written = sample.resources.filter(({ path }) => OF_A_REVIEW.test(path));
  assert.ok(written.length > 200);
  const headers = { 'accept-encoding': 'identity' };
  for (const { path, etag } of written.filter((_, at) => at % 7 === 0)) {
    const file = await files.request(path, { headers });
    const computed = await computing.request(path, { headers });
    assert.equal(computed.status, 200, path);
    assert.equal(await computed.text(), await file.text(), path);
    assert.equal(computed.headers.get('etag'), etag);
    for (const [name, value] of file.headers) {
      if (name !== 'accept-ranges') assert.equal(computed.headers.get(name), value, name);
    }
  }
});

test('an encoded answer has the ETag of the encoded file, and 304 is empty', async () => {
  const files = await sampleApp();
  const encoded = sample.resources.filter(
    ({ encodings, path }) => encodings.br && OF_A_REVIEW.test(path),
  );
  for (const end of ['/', '.json']) {
    const { path } = encoded.find(({ path }) => path.endsWith(end))!;
    const headers = { 'accept-encoding': 'br' };
    const etag = (await files.request(path, { headers })).headers.get('etag')!;
    assert.match(etag, /-br"$/);
    const computed = await computing.request(path, { headers });
    assert.equal(computed.headers.get('etag'), etag);
    assert.equal(computed.headers.get('content-encoding'), 'br');
    const again = await computing.request(path, { headers: { ...headers, 'if-none-match': etag } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
  }
});

test('the document has the bytes of reviews.json and insights.json, and every change of the journal', async () => {
  const read = (file: string) => readFile(join(client, file), 'utf8');
  const [reviews, insights] = [await read('reviews.json'), await read('insights.json')];
  const months = sample.resources.filter(({ path }) => /^\/changes\/[\d-]+\.json$/.test(path));
  const documents = await Promise.all(months.map(async ({ file }) => JSON.parse(await read(file))));
  const changes = documents.flatMap((document) => monthChanges.parse(document).changes);
  assert.ok(changes.length > 300);
  const histories = Map.groupBy(changes, ({ id }) => id);
  for (const { id } of dataset.reviews) {
    const text = await (await computing.request(reviewDocumentPath(id))).text();
    const document = reviewDocument.parse(JSON.parse(text));
    assert.equal(document.review.id, id);
    assert.ok(reviews.includes(JSON.stringify(document.review)), id);
    assert.ok(insights.includes(`"${id}":${JSON.stringify(document.reading)}`), id);
    const newestFirst = histories.get(id)!.toSorted((a, b) => b.seq - a.seq);
    assert.deepEqual(document.history, newestFirst);
    histories.delete(id);
  }
  assert.equal(histories.size, 3, 'of reviews that were withdrawn');
  for (const id of histories.keys()) {
    const answer = await computing.request(reviewDocumentPath(id));
    assert.equal(answer.status, 410);
    assert.equal(goneBody.parse(await answer.json()).withdrawn.id, id);
    const { headers, status } = await computing.request(reviewPath(id));
    assert.deepEqual([status, headers.get('content-type')], [410, 'text/html; charset=utf-8']);
  }
});

test('an id that no review has is 404, as a page and as JSON', async () => {
  for (const id of ['0'.repeat(26), dataset.reviews[0]!.id.toLowerCase(), '2026-13']) {
    assert.equal((await computing.request(reviewPath(id))).status, 404, id);
    const answer = await computing.request(reviewDocumentPath(id));
    assert.equal(answer.status, 404);
    assert.equal(((await answer.json()) as { error: string }).error, 'not_found');
  }
});

test('without its slash a page is a redirect, and other methods are refused', async () => {
  const path = reviewPath(dataset.reviews.at(-1)!.id);
  const moved = await computing.request(path.slice(0, -1));
  assert.deepEqual([moved.status, moved.headers.get('location')], [301, path]);
  const refused = await computing.request(path, { method: 'POST' });
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  const head = await computing.request(path, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('without the code of the page its document is still served', async () => {
  const app = await sampleApp({ renderPage: undefined });
  const { id } = dataset.reviews.at(-1)!;
  assert.equal((await app.request(reviewDocumentPath(id))).status, 200);
});
