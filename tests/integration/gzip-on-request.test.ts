import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bytesOf } from '../support/http.ts';
import { openSampleFolder, sampleApp } from '../support/targets.ts';

// Small files have no gzip form in an edition: the sidecar makes it for clients that take only gzip.

const app = await sampleApp();
const { manifest } = await openSampleFolder();

function get(path: string, encoding: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'accept-encoding': encoding, ...(init.headers as Record<string, string>) };
  return Promise.resolve(app.request(path, { ...init, headers }));
}

test('the gzip form of a small page has its bytes, and headers of its own', async () => {
  const pages = manifest.resources.filter(({ encodings }) => encodings.br && !encodings.gzip);
  for (const { path, etag, size } of [pages[0]!, pages.at(-1)!]) {
    const response = await get(path, 'gzip');
    const { headers } = response;
    const body = await bytesOf(response);
    assert.equal(headers.get('content-encoding'), 'gzip', path);
    assert.equal(headers.get('etag'), `${etag.slice(0, -1)}-gzip"`, path);
    assert.match(headers.get('vary')!, /accept-encoding/i, path);
    assert.equal(headers.get('content-length'), String(body.length), path);
    assert.ok(body.length < size, path);
    const plain = await bytesOf(await get(path, 'identity'));
    assert.ok(gunzipSync(body).equals(plain), path);
    assert.deepEqual(await bytesOf(await get(path, 'gzip')), body, path);
    const head = await get(path, 'gzip', { method: 'HEAD' });
    assert.deepEqual([...head.headers], [...headers], path);
    const known = await get(path, 'gzip', { headers: { 'if-none-match': headers.get('etag')! } });
    assert.equal(known.status, 304, path);
  }
});

test('a file without any encoded form is sent as it is', async () => {
  const { headers } = await get('/robots.txt', 'gzip, br');
  assert.equal(headers.get('content-encoding'), null);
});
