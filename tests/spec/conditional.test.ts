import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, type RequestOptions } from '../support/http.ts';
import { forEachTarget, readPaths, type Target } from '../support/targets.ts';

// Contract, section 4.7, and RFC 9110, section 13: every read resource is conditional.

/** RFC 9110, section 8.8.3; without `W/`. */
const STRONG = /^"[\x21\x23-\x7e]+"$/;
/** Headers that a 304 repeats from the 200 (RFC 9110, section 15.4.5). */
const REPEATED = ['etag', 'last-modified', 'cache-control', 'vary', 'access-control-allow-origin'];

forEachTarget((target) => {
  test('every resource has a strong ETag', async () => {
    for (const path of await readPaths(target)) {
      assert.match((await target.fetch(path)).headers.get('etag') ?? '', STRONG, path);
    }
  });

  test('every resource but a search and a count has a Last-Modified, which is an HTTP date', async () => {
    for (const path of await datedPaths(target)) {
      const date = (await target.fetch(path)).headers.get('last-modified') ?? '';
      assert.equal(new Date(date).toUTCString(), date, path);
    }
  });

  test('If-None-Match with the ETag gives 304 and no body, without it 200', async () => {
    for (const path of await readPaths(target)) {
      const etag = (await target.fetch(path)).headers.get('etag')!;
      for (const listed of [etag, `"other", W/${etag}`]) {
        const again = await target.fetch(path, { headers: { 'if-none-match': listed } });
        assert.deepEqual([again.status, (await bytesOf(again)).length], [304, 0], path);
      }
      const headers = { 'if-none-match': `"${etag.slice(1, -2)}"` };
      assert.equal(await statusOf(target, path, { headers }), 200, path);
    }
  });

  test('a 304 carries the validators and caching headers of the 200, also to a HEAD', async () => {
    for (const path of await readPaths(target)) {
      const first = await target.fetch(path);
      const headers = { 'if-none-match': first.headers.get('etag')! };
      for (const method of ['GET', 'HEAD']) {
        const again = await target.fetch(path, { method, headers });
        assert.equal(again.status, 304, path);
        for (const name of REPEATED) {
          assert.equal(again.headers.get(name), first.headers.get(name), `${name} of ${path}`);
        }
      }
    }
  });

  test('If-Modified-Since at or after Last-Modified gives 304, before it 200', async () => {
    for (const path of await datedPaths(target)) {
      const changed = Date.parse((await target.fetch(path)).headers.get('last-modified')!);
      for (const [seconds, status] of [
        [0, 304],
        [1, 304],
        [-1, 200],
      ] as const) {
        const headers = { 'if-modified-since': new Date(changed + seconds * 1000).toUTCString() };
        assert.equal(await statusOf(target, path, { headers }), status, `${path} ${seconds} s`);
      }
    }
  });

  test('If-None-Match wins over If-Modified-Since', async () => {
    for (const path of await datedPaths(target)) {
      const { headers } = await target.fetch(path);
      const changed = headers.get('last-modified')!;
      const another = { 'if-none-match': '"other"', 'if-modified-since': changed };
      assert.equal(await statusOf(target, path, { headers: another }), 200, path);
      const early = new Date(0).toUTCString();
      const same = { 'if-none-match': headers.get('etag')!, 'if-modified-since': early };
      assert.equal(await statusOf(target, path, { headers: same }), 304, path);
    }
  });

  test('If-Match with another ETag is 412, with the ETag or * it changes nothing', async () => {
    for (const path of await readPaths(target)) {
      const etag = (await target.fetch(path)).headers.get('etag')!;
      for (const [value, status] of [
        ['"other"', 412],
        [etag, 200],
        ['*', 200],
      ] as const) {
        const headers = { 'if-match': value };
        assert.equal(await statusOf(target, path, { headers }), status, `${path} ${value}`);
      }
    }
  });

  test('a resource that is not there is 404, whatever the condition', async () => {
    const headers = { 'if-none-match': '*' };
    for (const path of ['/nothing', '/nothing.json', '/api/nothing']) {
      assert.equal(await statusOf(target, path, { headers }), 404, path);
    }
  });
});

/** Returns the paths with a Last-Modified; a search and a count have only an ETag. */
async function datedPaths(target: Target): Promise<string[]> {
  return (await readPaths(target)).filter((path) => !/\/(search|count)/.test(path));
}

async function statusOf(target: Target, path: string, init: RequestOptions): Promise<number> {
  return (await target.fetch(path, init)).status;
}
