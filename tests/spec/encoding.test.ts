import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bytesOf } from '../support/http.ts';
import { forEachTarget, readPaths, type Target } from '../support/targets.ts';

// Compressed variants of the same resource (RFC 9110, section 12.5.3).

const PATH = '/reviews.json';

/** The encoding sent for each Accept-Encoding; `null` for plain bytes. */
const NEGOTIATED: [string, 'br' | 'gzip' | null][] = [
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br ; q=0.2 , gzip ; q=0.3', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['identity', null],
  ['deflate, zstd', null],
  ['', null],
  [`${'x;q=0.5, '.repeat(30)}br`, null],
];

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

forEachTarget((target) => {
  for (const [accepted, encoding] of NEGOTIATED) {
    test(`"${accepted.slice(0, 40)}" is answered ${encoding ?? 'plainly'}`, async () => {
      const response = await get(target, PATH, accepted);
      assert.equal(response.headers.get('content-encoding'), encoding);
    });
  }

  test('without Accept-Encoding the bytes are plain', async () => {
    const response = await target.fetch(PATH);
    assert.equal(response.headers.get('content-encoding'), null);
    JSON.parse(await response.text());
  });

  test('the encoded bytes are fewer and decode to the plain ones', async () => {
    for (const path of await compressedPaths(target)) {
      const plain = await bytesOf(await get(target, path, 'identity'));
      for (const encoding of ['br', 'gzip'] as const) {
        const encoded = await bytesOf(await get(target, path, encoding));
        assert.ok(encoded.length < plain.length, `${encoding} ${path}`);
        assert.ok(decoders[encoding](encoded).equals(plain), `${encoding} ${path}`);
      }
    }
  });

  test('each encoding has a strong ETag of its own, and Vary says why', async () => {
    for (const path of await compressedPaths(target)) {
      const answers = await Promise.all(
        ['identity', 'br', 'gzip'].map((encoding) => get(target, path, encoding)),
      );
      const etags = answers.map(({ headers }) => headers.get('etag')!);
      assert.equal(new Set(etags).size, 3, path);
      for (const { headers } of answers) {
        assert.match(headers.get('etag')!, /^"/, path);
        assert.match(headers.get('vary') ?? '', /\baccept-encoding\b/i, path);
      }
    }
  });

  test('the ETag of an encoding validates that encoding only', async () => {
    for (const path of await compressedPaths(target)) {
      const etag = (await get(target, path, 'gzip')).headers.get('etag')!;
      const statusFor = async (encoding: string) =>
        (await get(target, path, encoding, { 'if-none-match': etag })).status;
      assert.deepEqual([await statusFor('gzip'), await statusFor('br')], [304, 200], path);
    }
  });

  test('a small answer is plain, also to a client that accepts encodings', async () => {
    const response = await get(target, `${SEARCH}&query=no+review+says+this`, 'br, gzip');
    assert.equal(response.headers.get('content-encoding'), null);
    assert.equal((await response.json()).matched, 0);
  });
});

const SEARCH = '/api/reviews/search?limit=100';

/** Returns what is computed: searches as JSON and as a page, a listing; and all files except small ones. */
async function compressedPaths(target: Target): Promise<string[]> {
  const all = await readPaths(target);
  const { resources } = await target.manifest();
  const encoded = resources.filter(({ encodings }) => Object.keys(encodings).length > 1);
  const compressed = all.filter((path) => encoded.some((resource) => resource.path === path));
  assert.ok(compressed.includes(PATH), 'there is nothing compressed to look at');
  return [...compressed, SEARCH, '/search/', '/api/reviews/since/1970-01-01'];
}

function get(target: Target, path: string, encoding: string, headers: Record<string, string> = {}) {
  return target.fetch(path, { headers: { 'accept-encoding': encoding, ...headers } });
}
