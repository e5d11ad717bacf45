import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody } from '../../src/schema/error.ts';
import { forEachTarget, readPaths, type Target } from '../support/targets.ts';

// Contract, section 7. Programs get JSON, people get a page, and neither repeats the request.

const NOWHERE_JSON = ['/api/', '/api/nothing', '/api/reviews', '/nothing.json'];
const NOWHERE_PAGE = ['/nothing', '/nothing/', '/reviews/1900-01/', '/feed.xml/x', '/feed'];
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];
const MARK = 'echo-me-not';

forEachTarget((target) => {
  test('a program gets 404 with the error body at an unknown path', async () => {
    for (const path of NOWHERE_JSON) {
      assert.equal((await errorOf(target, path, 404)).error, 'not_found', path);
    }
  });

  test('a person gets a page with 404 at an unknown path', async () => {
    for (const path of NOWHERE_PAGE) await assertPage(await target.fetch(path), 404, path);
  });

  test('an unsupported method is 405, and Allow names the supported ones', async () => {
    for (const path of [...(await readPaths(target)), '/healthz', '/readyz']) {
      for (const method of WRITES) {
        const response = await target.fetch(path, { method });
        assert.equal(response.status, 405, `${method} ${path}`);
        const allowed = response.headers.get('allow')?.split(/, */).sort();
        assert.deepEqual(allowed, ['GET', 'HEAD', 'OPTIONS'], `${method} ${path}`);
      }
    }
  });

  test('a 405 has the error body where programs read, a page elsewhere', async () => {
    for (const path of ['/reviews.json', '/api/feed.json', '/api/reviews/search']) {
      const { error } = await errorOf(target, path, 405, 'DELETE');
      assert.equal(error, 'method_not_allowed', path);
    }
    await assertPage(await target.fetch('/', { method: 'DELETE' }), 405, '/');
  });

  test('a write to an unknown path is 404', async () => {
    for (const path of ['/api/nothing', '/nothing.json', '/nothing']) {
      assert.equal((await target.fetch(path, { method: 'POST' })).status, 404, path);
    }
  });

  test('no error repeats the address, neither as sent nor decoded', async () => {
    const script = `%3Cscript%3E${MARK}%3C/script%3E`;
    const places = [`/${MARK}`, `/${MARK}.json`, `/api/${MARK}`, `/api/${script}.json`];
    const dates = [`/api/reviews/since/${MARK}`, `/api/reviews/since/${script}`];
    for (const path of [...places, ...dates, `/reviews.json/${MARK}`, `/nothing?${MARK}`]) {
      for (const method of ['GET', 'POST']) {
        const response = await target.fetch(path, { method });
        assert.ok(response.status >= 400 && response.status < 500, `${path}: ${response.status}`);
        const answer = JSON.stringify([...response.headers]) + (await response.text());
        assert.ok(!answer.includes(MARK), `${method} ${path}: ${answer}`);
      }
    }
  });

  test('caches keep no error', async () => {
    const wrong = ['/api/reviews/search?rating=9', '/api/reviews/since/x'];
    for (const path of [...wrong, '/api/nothing', '/nothing', '/nothing/']) {
      assert.equal((await target.fetch(path)).headers.get('cache-control'), 'no-store', path);
    }
  });
});

async function errorOf(target: Target, path: string, status: number, method = 'GET') {
  const response = await target.fetch(path, { method });
  assert.equal(response.status, status, path);
  assert.equal(response.headers.get('content-type'), 'application/json', path);
  return errorBody.parse(await response.json());
}

async function assertPage(response: Response, status: number, path: string): Promise<void> {
  assert.equal(response.status, status, path);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', path);
  assert.match(await response.text(), /^<!doctype html>/i, path);
}
