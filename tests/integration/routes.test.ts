import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody } from '../../src/schema/error.ts';
import { sampleEdition } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';
import { everyRoute, requestsOf } from '../support/routes.ts';
import { sampleApp } from '../support/targets.ts';

test('every route and every kind of file answers the request that is stated for it', async () => {
  const requests = await everyRoute(await readManifest(await sampleEdition()));
  const app = await sampleApp();
  const asked = new Set(requests.map(({ route }) => route));
  assert.deepEqual(asked, new Set(app['~routes'].map(({ route }) => route)));
  for (const { method, target, headers, body, status } of requests) {
    const init = { method, headers: { ...headers }, ...(method === 'POST' && { body }) };
    const answer = await app.request(target, init);
    await answer.bytes();
    // The hub of the tests allows no callback on loopback.
    const expected = status === 202 ? 400 : status;
    assert.equal(answer.status, expected, `${method} ${target}`);
  }
});

test('a route without a stated request is an error', async () => {
  const manifest = await readManifest(await sampleEdition());
  assert.throws(() => requestsOf(['/healthz', '/new'], manifest), /no request for \/new/);
});

// Not in the spec suite, because a proxy rejects such a path before the sidecar sees it.
test('a date that cannot be decoded is refused like any other that is none', async () => {
  const app = await sampleApp();
  for (const date of ['%', '%zz', '%E0%A4%A', '2026-01-0%', '2026-02-30']) {
    const answer = await app.request(`/api/reviews/since/${date}`);
    assert.equal(answer.status, 400, date);
    const { issues } = errorBody.parse(await answer.json());
    const found = issues?.map(({ path, code }) => [path, code]);
    assert.deepEqual(found, [[['date'], 'invalid_date']]);
  }
});
