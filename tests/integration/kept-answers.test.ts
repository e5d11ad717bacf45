import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { mockEvent } from 'h3';
import type { Edition } from '../../sidecar/edition/edition.ts';
import { serveSearch } from '../../sidecar/http/search.ts';
import { AT_ONCE } from '../../sidecar/http/turns.ts';
import { openSampleFolder } from '../support/targets.ts';

/** Returns editions of the same reviews, whose searches are counted together. */
async function editions(context: TestContext) {
  const sample = await openSampleFolder();
  const { mock } = context.mock.method(sample.search, 'search');
  return { searches: () => mock.callCount(), open: () => askerOf({ ...sample }) };
}

function askerOf(edition: Edition) {
  return async (query: string, accepted = 'br', method = 'GET') => {
    const init = { method, headers: { 'accept-encoding': accepted } };
    const event = mockEvent(`http://localhost/api/reviews/search?${query}`, init);
    const response = await serveSearch(event, edition, AT_ONCE);
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
}

test('an answer is computed once, and each spelling of its question leads on', async (context) => {
  const { open, searches } = await editions(context);
  const ask = open();
  const first = await ask('rating=5&limit=2');
  const other = await ask('limit=2&rating=5&query=');
  assert.equal(searches(), 1);
  assert.deepEqual(other.bytes, first.bytes);
  assert.equal(other.headers.get('etag'), first.headers.get('etag'));
  for (const { headers } of [first, other]) {
    assert.match(headers.get('link')!, /cursor=[^>]+>; rel="next"/);
  }
});

test('each encoding is computed once, also for simultaneous requests', async (context) => {
  const { open, searches } = await editions(context);
  const ask = open();
  const encodings = ['identity', 'br', 'gzip'];
  const askAll = () => Promise.all(encodings.map((encoding) => ask('limit=9', encoding)));
  const first = await askAll();
  assert.deepEqual(
    first.map(({ headers }) => headers.get('content-encoding')),
    [null, 'br', 'gzip'],
  );
  assert.deepEqual(
    (await askAll()).map(({ bytes }) => bytes),
    first.map(({ bytes }) => bytes),
  );
  assert.equal(searches(), 2 + 1 + 1, 'plain answers are computed each time');
  const together = await Promise.all([1, 2].map(() => ask('limit=8', 'br')));
  assert.deepEqual(together[0]!.bytes, together[1]!.bytes);
});

test('HEAD has the headers of a kept answer and no body', async (context) => {
  const ask = (await editions(context)).open();
  const { headers, bytes } = await ask('limit=3', 'br');
  const head = await ask('limit=3', 'br', 'HEAD');
  assert.equal(head.bytes.length, 0);
  assert.equal(head.headers.get('content-length'), String(bytes.length));
  assert.deepEqual([...head.headers], [...headers]);
});

test('another question, and another edition, have their own answers', async (context) => {
  const { open, searches } = await editions(context);
  const [one, other] = [open(), open()];
  await one('rating=5');
  await one('rating=4');
  assert.equal(searches(), 2);
  await other('rating=5');
  assert.equal(searches(), 3);
});
