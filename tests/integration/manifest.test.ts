import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifest, MANIFEST_FILE, pathInside, type Manifest } from '../../src/edition/manifest.ts';
import { readJson, sampleEdition } from '../support/edition.ts';

const NEEDED = /^\/([^/]*|faq\/|api\/feed\.json)$/;
const built = await readJson<Manifest>(await sampleEdition(), MANIFEST_FILE);
/** With few resources, because each change is checked as a whole. */
const few = { ...built, resources: built.resources.filter(({ path }) => NEEDED.test(path)) };

test('the manifest of a build passes its own check, and so does one of few files', () => {
  assert.ok(manifest.parse(built).resources.length > 100);
  assert.ok(manifest.parse(few).resources.length < 60);
});

const FILES = [
  '',
  '../robots.txt',
  '/etc/x',
  'a/../../b',
  'a//b',
  'a/',
  'a\\b',
  '.search-index-2',
  'a/.b',
  '.well-known',
  '.well-known/.hidden',
  'x\n/../../../compile-cache/pwned.js',
  'x\r/../y',
  'x\u2028/../y',
  'x\0y',
  'a\u007fb',
  'a\u0085b',
  MANIFEST_FILE,
  `${MANIFEST_FILE}/x`,
  'robots.txt/below',
  'reviews.json',
];

for (const file of FILES) {
  test(`neither a resource nor a variant may be the file ${JSON.stringify(file)}`, () => {
    refuses(({ resources }) => (resourceAt(resources, '/').file = file));
    refuses(({ resources }) => (resourceAt(resources, '/').encodings.br!.file = file));
  });
}

for (const path of [
  '',
  'robots.txt',
  '//elsewhere.example/',
  '/a/../b',
  '/a/%2e%2e/b',
  '/a?b',
  '/a#b',
  '/a b',
  '/a\n',
  '/%',
  '/%ff',
  '/ä',
  `/${MANIFEST_FILE}`,
  '/robots.txt',
]) {
  test(`a resource may not be at the path ${JSON.stringify(path)}`, () => {
    refuses(({ resources }) => (resourceAt(resources, '/faq/').path = path));
  });
}

/** Headers that the server states itself. */
const OF_THE_SERVER =
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade content-length ' +
  'content-encoding content-type content-range accept-ranges date etag last-modified vary ' +
  'set-cookie x-request-id';

for (const headers of [
  { 'cache-control': 'public\r\nset-cookie: a=b' },
  { 'cache-control': 'public\n' },
  { 'cache-control': 'a\0b' },
  { 'cache-control': 'snowman \u2603' },
  { 'bad name': 'x' },
  { 'bad\r\nname': 'x' },
  { '': 'x' },
  { Link: '</>; rel="self"' },
  ...OF_THE_SERVER.split(' ').map((name) => ({ [name]: 'x' })),
]) {
  test(`a header set may not be ${JSON.stringify(headers)}`, () => {
    refuses(({ header_sets: sets }) => Object.assign(sets[0]!, headers));
  });
}

for (const baseUrl of [
  'javascript:alert(1)',
  'ftp://reviews.example',
  'https://reviews.example/',
  'https://user@reviews.example',
  'https://reviews.example?q',
  '//reviews.example',
]) {
  test(`base_url may not be ${baseUrl}`, () => {
    refuses((manifest) => (manifest.base_url = baseUrl));
  });
}

for (const [what, change] of Object.entries<(manifest: Manifest) => unknown>({
  'a number of a header set that is not there': ({ resources, header_sets: sets }) =>
    (resources[0]!.headers = sets.length),
  'a negative number of a header set': ({ resources }) => (resources[0]!.headers = -1),
  'a validator that is no digest': ({ resources }) => (resources[0]!.etag = '"short"'),
  'a weak validator': ({ resources }) => (resources[0]!.etag = `W/${resources[0]!.etag}`),
  'a media type with a line break': ({ resources }) => (resources[0]!.type = 'text/html\r\nx: y'),
  'no media type': ({ resources }) => (resources[0]!.type = ''),
  'a size beyond what numbers count': ({ resources }) => (resources[0]!.size = 2 ** 60),
  'days from late to early': (manifest) =>
    (manifest.since = { from: '2026-05-02', to: '2026-05-01' }),
  'an identifier that is none': (manifest) => (manifest.edition = 'a\nb'),
})) {
  test(`a manifest is refused with ${what}`, () => {
    refuses(change);
  });
}

for (const path of ['/reviews.json', '/insights-digest.json', '/feed.xml', '/api/feed.json']) {
  test(`a manifest is refused without ${path}`, () => {
    refuses((manifest) => {
      manifest.resources = manifest.resources.filter((resource) => resource.path !== path);
    });
  });
}

test('a path leads into its folder or nowhere', () => {
  assert.equal(pathInside('/data/edition', 'a/b.json'), '/data/edition/a/b.json');
  assert.equal(pathInside('/data/edition', '..a'), '/data/edition/..a');
  for (const file of ['', '.', '..', '../edition2/x', '/etc/passwd', 'a/../..', 'x\n/../../y']) {
    assert.throws(() => pathInside('/data/edition', file), /leads out of/, file);
  }
});

function refuses(change: (manifest: Manifest) => unknown): void {
  const changed = structuredClone(few);
  change(changed);
  const { success } = manifest.safeParse(changed);
  assert.equal(success, false);
}

function resourceAt(resources: Manifest['resources'], path: string) {
  return resources.find((resource) => resource.path === path)!;
}
