import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../support/http.ts';
import { dataPaths, forEachTarget, type Target } from '../support/targets.ts';

// Parts of a file (RFC 9110, section 14).

const PATH = '/reviews.json';

async function part(target: Target, range: string, headers: Record<string, string> = {}) {
  return target.fetch(PATH, { headers: { range, ...headers } });
}

async function whole(target: Target): Promise<{ bytes: Buffer; etag: string }> {
  const response = await target.fetch(PATH, { headers: { 'accept-encoding': 'identity' } });
  return { bytes: await bytesOf(response), etag: response.headers.get('etag')! };
}

forEachTarget((target) => {
  test('a range is 206 with those bytes and their place', async () => {
    const { bytes, etag } = await whole(target);
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-99', 0, 99],
      ['Bytes=0-99', 0, 99],
      ['bytes=100-100', 100, 100],
      [`bytes=${size - 1}-`, size - 1, size - 1],
      ['bytes=200-', 200, size - 1],
      ['bytes=-50', size - 50, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ] as const) {
      const response = await part(target, range);
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${size}`, range);
      assert.equal(response.headers.get('content-length'), String(end - start + 1), range);
      assert.equal(response.headers.get('etag'), etag, range);
      assert.ok(response.headers.has('last-modified'), range);
      assert.ok((await bytesOf(response)).equals(bytes.subarray(start, end + 1)), range);
    }
  });

  test('a range is of the plain bytes, whatever encodings are accepted', async () => {
    const { bytes } = await whole(target);
    const response = await part(target, 'bytes=0-9', { 'accept-encoding': 'br, gzip' });
    assert.equal(response.headers.get('content-encoding'), null);
    assert.ok((await bytesOf(response)).equals(bytes.subarray(0, 10)));
  });

  test('a range of which no byte exists is 416 and names the size', async () => {
    const size = (await whole(target)).bytes.length;
    for (const range of [`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0']) {
      const response = await part(target, range);
      assert.equal(response.status, 416, range);
      assert.equal(response.headers.get('content-range'), `bytes */${size}`, range);
      assert.ok((await bytesOf(response)).length < 1000, range);
    }
  });

  test('anything but a single range of bytes is ignored', async () => {
    const { bytes } = await whole(target);
    for (const range of ['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-9', 'bytes=0-1,4-5']) {
      const response = await part(target, range);
      assert.equal(response.status, 200, range);
      assert.ok((await bytesOf(response)).equals(bytes), range);
    }
  });

  test('If-Range continues the very same bytes only', async () => {
    const { bytes, etag } = await whole(target);
    const same = await part(target, 'bytes=5-', { 'if-range': etag });
    assert.equal(same.status, 206);
    for (const other of ['"other"', `W/${etag}`, new Date(0).toUTCString()]) {
      const response = await part(target, 'bytes=5-', { 'if-range': other });
      assert.equal(response.status, 200, other);
      assert.ok((await bytesOf(response)).equals(bytes), other);
    }
  });

  test('an unchanged file is 304, whatever range is asked for', async () => {
    const { etag } = await whole(target);
    assert.equal((await part(target, 'bytes=0-9', { 'if-none-match': etag })).status, 304);
  });

  test('a HEAD ignores a range and describes the full file (RFC 9110, section 14.2)', async () => {
    const { bytes } = await whole(target);
    for (const range of ['bytes=0-9', `bytes=${bytes.length}-`]) {
      const response = await target.fetch(PATH, { method: 'HEAD', headers: { range } });
      assert.equal(response.status, 200, range);
      assert.equal(response.headers.get('content-length'), String(bytes.length), range);
    }
  });

  test('a resource takes ranges exactly if it says so', async () => {
    for (const path of await dataPaths(target)) {
      const { headers } = await target.fetch(path);
      const expected = headers.get('accept-ranges') === 'bytes' ? 206 : 200;
      const response = await target.fetch(path, { headers: { range: 'bytes=0-9' } });
      assert.equal(response.status, expected, path);
    }
  });
});
