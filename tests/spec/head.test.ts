import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, rawExchange, statedHeaders } from '../support/http.ts';
import { dataPaths, forEachTarget, readPaths, type Target } from '../support/targets.ts';

// HEAD has the headers of GET without the body (RFC 9110, section 9.3.2).

const ELSEWHERE = [
  '/healthz',
  '/api/nothing',
  '/api/reviews/search?rating=9',
  '/api/reviews/since/x',
];

forEachTarget((target) => {
  test('HEAD has the status and the headers of GET', async () => {
    for (const path of await allPaths(target)) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const get = await target.fetch(path, { headers });
        const head = await target.fetch(path, { method: 'HEAD', headers });
        assert.equal(head.status, get.status, path);
        assert.deepEqual(statedHeaders(head), statedHeaders(get), `${encoding} ${path}`);
      }
    }
  });

  test('Content-Length is the length of the body', async () => {
    for (const path of await allPaths(target)) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const response = await target.fetch(path, { headers: { 'accept-encoding': encoding } });
        const { length } = await bytesOf(response);
        assert.equal(response.headers.get('content-length'), String(length), `${encoding} ${path}`);
      }
    }
  });

  test('after the headers of a HEAD or a 304 nothing is sent', target.onSocket, async () => {
    for (const path of await allPaths(target)) {
      const head = await rawExchange(target.origin(), [`HEAD ${path} HTTP/1.1`]);
      assert.equal(head.indexOf('\r\n\r\n'), head.length - 4, path);
    }
    for (const path of await dataPaths(target)) {
      const lines = [`GET ${path} HTTP/1.1`, 'If-None-Match: *'];
      const notModified = await rawExchange(target.origin(), lines);
      assert.match(notModified, /^HTTP\/1\.1 304 /, path);
      assert.equal(notModified.indexOf('\r\n\r\n'), notModified.length - 4, path);
    }
  });
});

async function allPaths(target: Target): Promise<string[]> {
  return [...(await readPaths(target)), ...ELSEWHERE];
}
