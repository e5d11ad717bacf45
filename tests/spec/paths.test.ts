import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USUAL_PATHS } from '../../src/paths.ts';
import { bytesOf } from '../support/http.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, section 7. A path is in the edition, or does not exist.

/** None of these is a path of the service, however it is decoded or resolved. */
const OUTSIDE = [
  '/../package.json',
  '/../../../../etc/passwd',
  '/%2e%2e/package.json',
  '/%2e%2e%2f%2e%2e%2fpackage.json',
  '/..%2f..%2fpackage.json',
  '/%252e%252e/package.json',
  '/....//package.json',
  '/reviews/../../package.json',
  '/reviews/..%5c..%5cpackage.json',
  '/..\\package.json',
  '/\\..\\..\\package.json',
  '/%5c..%5cpackage.json',
  '//package.json',
  '//etc/passwd',
  '/file:///etc/passwd',
  '/package.json%00.html',
  '/reviews.json%00',
  '/%00',
  '/_headers',
  '/.nojekyll',
  '/.htaccess',
  '/reviews.json.br',
  '/api/reviews/since/..%2f..%2f..%2fpackage.json',
  '/%c0%ae%c0%ae/package.json',
];

forEachTarget((target) => {
  test('the paths that people try lead to the ones that answer', target.onSocket, async () => {
    for (const [usual, path] of Object.entries(USUAL_PATHS)) {
      const { status, headers } = await target.fetch(usual);
      assert.deepEqual([status, headers.get('location')], [301, path], usual);
    }
  });

  test('a slash at the end of a computed answer makes no difference', async () => {
    for (const path of ['search', 'count', 'since/2020-01-01']) {
      const plain = await target.fetch(`/api/reviews/${path}`);
      const slashed = await target.fetch(`/api/reviews/${path}/`);
      assert.equal(slashed.status, 200, path);
      assert.equal(slashed.headers.get('etag'), plain.headers.get('etag'), path);
    }
    for (const path of ['/api/websub/hub/', '/mcp/']) {
      assert.equal((await target.fetch(path, { method: 'POST' })).status, 415, path);
    }
  });

  test('no path leads out of the edition', target.onSocket, async () => {
    for (const path of OUTSIDE) {
      const response = await target.fetch(path);
      assert.ok([400, 404].includes(response.status), `${path}: ${response.status}`);
      const body = (await bytesOf(response)).toString();
      assert.ok(!/root:|"dependencies"/.test(body), path);
    }
  });

  test('two slashes never become a redirect to another host', target.onSocket, async () => {
    const [month] = (await target.dataset()).reviews.map(({ date }) => date.slice(0, 7));
    const places = [`evil.example/reviews/${month}`, `reviews/${month}`, 'evil.example/..'];
    for (const place of places) {
      const { headers } = await target.fetch(`//${place}`);
      const location = headers.get('location') ?? '/';
      assert.match(location, /^\/(?!\/)/, `//${place} leads to ${location}`);
    }
  });

  test('a month page is at the address with the slash; the one without leads there', async () => {
    const { date } = (await target.dataset()).reviews[0]!;
    const bare = `/reviews/${date.slice(0, 7)}`;
    const response = await target.fetch(bare);
    assert.equal(response.status, 301);
    assert.equal(response.headers.get('location'), `${bare}/`);
    assert.equal((await target.fetch(`${bare}/`)).status, 200);
  });
});
