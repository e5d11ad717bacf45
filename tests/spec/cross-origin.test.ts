import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataPaths, forEachTarget } from '../support/targets.ts';

// Any site may read (Fetch standard, section 3.3).

const EXPOSED = [
  'ETag',
  'Last-Modified',
  'Link',
  'Retry-After',
  'Accept-Ranges',
  'Content-Range',
  'X-Request-Id',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
];
const ALLOWED = ['If-None-Match', 'If-Modified-Since', 'Content-Type', 'Accept', 'Authorization'];
const REFUSALS = ['/api/reviews/search?rating=9', '/api/reviews/since/x', '/api/nothing'];

forEachTarget((target) => {
  test('data and JSON errors may be read by any origin, with their validators', async () => {
    const origin = { origin: 'https://elsewhere.example' };
    for (const path of [...(await dataPaths(target)), ...REFUSALS]) {
      const { headers } = await target.fetch(path, { headers: origin });
      assert.equal(headers.get('access-control-allow-origin'), '*', path);
      assert.deepEqual(listed(headers.get('access-control-expose-headers')), lower(EXPOSED), path);
      assert.equal(headers.get('access-control-allow-credentials'), null, path);
    }
  });

  test('a preflight allows reading with conditional headers', async () => {
    for (const path of await dataPaths(target)) {
      const { headers, status } = await target.fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match, authorization, x-requested-with',
        },
      });
      assert.equal(status, 204, path);
      assert.equal(headers.get('access-control-allow-origin'), '*', path);
      assert.ok(listed(headers.get('access-control-allow-methods')).includes('get'), path);
      const allowed = listed(headers.get('access-control-allow-headers'));
      for (const name of lower([...ALLOWED, 'X-Requested-With']))
        assert.ok(allowed.includes(name), `${name} of ${path}`);
      assert.ok(Number(headers.get('access-control-max-age')) > 0, path);
    }
  });

  test('a preflight repeats no text that is no list of header names', async () => {
    const asked = 'x-a: b, "<script>"';
    const { headers } = await target.fetch('/reviews.json', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': asked },
    });
    assert.ok(!headers.get('access-control-allow-headers')!.includes('x-a'));
  });

  test('OPTIONS names the methods, and is 404 where there is nothing', async () => {
    const { headers } = await target.fetch('/', { method: 'OPTIONS' });
    assert.deepEqual(listed(headers.get('allow')), ['get', 'head', 'options']);
    assert.equal((await target.fetch('/api/nothing', { method: 'OPTIONS' })).status, 404);
  });
});

function listed(header: string | null): string[] {
  return (header ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .sort();
}

function lower(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase()).sort();
}
