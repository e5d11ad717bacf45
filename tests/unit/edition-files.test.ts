import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compress } from '../../src/build/compress.ts';
import { headersFile, htaccessFile } from '../../src/build/headers-file.ts';
import { siteUrl } from '../../src/build/settings.ts';
import { mediaType } from '../../src/build/write-edition.ts';

const json = (items: number) => {
  const item = (id: number) => ({ id: Math.imul(id, 0x9e3779b1), rating: id % 5 });
  return Buffer.from(JSON.stringify(Array.from({ length: items }, (_, id) => item(id))));
};

test('compresses records to less than half, and the same each time', () => {
  const bytes = json(5_000);
  const { br, gzip } = compress(bytes, 'application/json');
  assert.ok(brotliDecompressSync(br!).equals(bytes) && gunzipSync(gzip!).equals(bytes));
  assert.ok(br!.length < bytes.length / 2 && gzip!.length < bytes.length / 2);
  const again = compress(bytes, 'application/json');
  assert.ok(again.br!.equals(br!) && again.gzip!.equals(gzip!));
});

test('compresses nothing to less than 1 KB, or by less than a tenth', () => {
  const text = (length: number) => Buffer.from(randomBytes(length / 2).toString('hex'));
  const encodings = (plain: number) => Object.keys(compress(text(plain), 'application/json'));
  assert.deepEqual(encodings(1_500), []);
  assert.deepEqual(compress(randomBytes(8_000), 'application/json'), {});
  for (const plain of [4_000, 70_000]) assert.deepEqual(encodings(plain), ['br', 'gzip']);
});

test('refuses a file of unknown type, naming it', () => {
  for (const file of ['manual.pdf', '.well-known/security', 'a.JSON.bak', 'html']) {
    assert.throws(() => mediaType(file), { message: `${file}: no media type is known for it` });
  }
});

test('compresses text and data, what is for browsers with brotli alone, and no picture, font or database', () => {
  const encodings = (type: string) => Object.keys(compress(json(5_000), type));
  for (const type of ['text/csv; charset=utf-8', 'application/json', 'application/atom+xml']) {
    assert.deepEqual(encodings(type), ['br', 'gzip'], type);
  }
  for (const type of ['text/html; charset=utf-8', 'text/javascript; charset=utf-8']) {
    assert.deepEqual(encodings(type), ['br'], type);
  }
  const plain = ['image/png', 'font/woff2', 'application/octet-stream', 'application/vnd.sqlite3'];
  for (const type of plain) assert.deepEqual(encodings(type), [], type);
});

test('writes one rule a folder of pages and a kind of document', () => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=1' };
  const documents: [string, typeof headers][] = [
    ['/reviews.json', headers],
    ['/api/reviews/since/{date}', headers],
  ];
  const file = headersFile(['/', '/services/', '/services/drains/'], documents, '');
  const paths = file.split('\n').filter((line) => line.startsWith('/'));
  const expected = ['/*', '/_astro/*', '/', '/services/*', '/reviews.json', '/api/reviews/since/*'];
  assert.deepEqual(paths, expected);
});

test('writes for Apache a section of each name, after those of patterns', () => {
  const type = (is: string) => ({ 'content-type': is, 'access-control-allow-origin': '*' });
  const file = htaccessFile(
    ['/feed/'],
    [
      ['/feed.xml', type('application/atom+xml')],
      ['/feed/{from}.xml', type('application/atom+xml')],
      ['/api/reviews/since/{date}', type('application/json')],
    ],
    '/our',
  );
  const sections = [...file.matchAll(/<FilesMatch "(.*)">\n {2}ForceType "(.*)"/g)];
  const found = sections.map(([, pattern, is]) => `${pattern} ${is}`);
  assert.deepEqual(found, [
    String.raw`^[\w-]+\.xml$ application/atom+xml`,
    String.raw`^[\w-]+$ application/json`,
    String.raw`^feed\.xml$ application/atom+xml`,
  ]);
  assert.match(file, /^ErrorDocument 404 \/our\/404\.html$/m);
  const folders = '/api|/api/reviews|/api/reviews/since|/_astro|/embed';
  assert.ok(file.includes(`"^/our(${folders})/?$"`));
  assert.doesNotMatch(file, /^ *(Options|DirectoryIndex|Require)\b/m, 'a host may forbid it');
});

const ORIGINS: [value: string | undefined, origin: string][] = [
  [undefined, 'http://localhost:4321'],
  ['', 'http://localhost:4321'],
  ['https://reviews.example.com', 'https://reviews.example.com'],
  ['https://reviews.example.com/', 'https://reviews.example.com'],
  ['HTTPS://Reviews.Example.com:443', 'https://reviews.example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://example.com/our/Reviews_2/', 'https://example.com/our/Reviews_2'],
];

for (const [value, origin] of ORIGINS) {
  test(`takes ${origin} from the SITE_URL ${JSON.stringify(value)}`, () => {
    assert.equal(siteUrl(value === undefined ? {} : { SITE_URL: value }), origin);
  });
}

for (const value of [
  'reviews.example.com',
  'ftp://reviews.example.com',
  'https://reviews.example.com/a%2fb',
  'https://reviews.example.com/a b',
  'https://reviews.example.com/a//b',
  'https://reviews.example.com/.hidden',
  'https://reviews.example.com/?a=1',
  'https://reviews.example.com/#top',
  'https://user:secret@reviews.example.com',
  'javascript:alert(1)',
]) {
  test(`refuses the SITE_URL ${value}, naming the setting`, () => {
    assert.throws(() => siteUrl({ SITE_URL: value }), /^Error: SITE_URL: must be an address/);
  });
}
