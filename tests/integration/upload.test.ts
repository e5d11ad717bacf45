import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { changeManifest, editionFolder } from '../support/edition-folder.ts';
import { ROOT } from '../support/fixtures.ts';
import { S3Server } from '../support/s3-server.ts';

const aws = { skip: spawnSync('aws', ['--version']).error ? 'the AWS client is missing' : false };

const NEEDED = /^\/(feed\.xml|api\/feed\.json|reviews\.json|insights-digest\.json)$/;

/** Leaves the files that an edition needs, and a file of each type, encoding and set of headers. */
async function leaveOneOfEach(source: string): Promise<void> {
  const kinds = new Set<string>();
  const isNew = ({ type, headers, encodings }: Manifest['resources'][number]): boolean => {
    const before = kinds.size;
    return kinds.add([type, headers, ...Object.keys(encodings)].join()).size > before;
  };
  await changeManifest(source, (manifest) => {
    manifest.resources = manifest.resources.filter((each) => isNew(each) || NEEDED.test(each.path));
  });
}

/** Leaves the files that an edition needs and one day of since/: few sets of headers. */
async function leaveFew(source: string): Promise<void> {
  await changeManifest(source, (manifest) => {
    const { resources } = manifest;
    const day = resources.find(({ path }) => path.startsWith('/api/reviews/since/'));
    manifest.resources = resources
      .filter((resource) => resource === day || NEEDED.test(resource.path))
      .map((resource) => ({ ...resource, encodings: {} }));
  });
}

/** An edition of few files, and an empty bucket. */
async function setUp(context: TestContext, isTiny = false) {
  const { source } = await editionFolder(context);
  await (isTiny ? leaveFew(source) : leaveOneOfEach(source));
  const storage = await S3Server.start(context);
  const start = (options: readonly string[] = []) =>
    spawn(
      process.execPath,
      ['src/owner/main.ts', 'upload', source, 's3://bucket/site', ...options],
      { cwd: ROOT, detached: true, env: { ...process.env, ...storage.env } },
    );
  const upload = async (...options: string[]) => {
    const child = start(options);
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    }
    const [status] = (await once(child, 'close')) as [number];
    return { status, output: Buffer.concat(output).toString() };
  };
  const read = async (): Promise<Manifest> =>
    manifest.parse(JSON.parse(await readFile(join(source, MANIFEST_FILE), 'utf8')));
  const names = async (): Promise<string[]> => [
    MANIFEST_FILE,
    ...(await read()).resources.flatMap(({ file, encodings }) => [
      file,
      ...Object.values(encodings).map((variant) => variant.file),
    ]),
  ];
  /** Asserts that the bucket has the edition, and nothing else. */
  const assertHoldsEdition = async (): Promise<void> => {
    const expected = (await names()).map((name) => `site/${name}`);
    assert.deepEqual([...storage.objects.keys()].sort(), expected.sort());
    for (const { file } of (await read()).resources) {
      assert.deepEqual(
        storage.objects.get(`site/${file}`)!.bytes,
        await readFile(join(source, file)),
      );
    }
  };
  return { source, storage, start, upload, read, names, assertHoldsEdition };
}

test('an upload leaves the edition alone, with its headers', aws, async (context) => {
  const { source, storage, upload, read, assertHoldsEdition } = await setUp(context);
  for (const name of ['reviews/gone.json', 'reviews/gone/index.html', 'cards/gone.png']) {
    storage.put(`site/${name}`, 'They came late.');
  }
  for (let at = 0; at < 120; at++) storage.put(`site/cards/old-${at} ü&.png`, 'old');
  storage.put('site/_astro/young.css', 'a page in a cache needs it');
  storage.put('site/_astro/old.css', 'nothing needs it', new Date(Date.now() - 2 * 86_400_000));
  storage.put('other/file', 'is not below the prefix');

  const { status, output } = await upload();
  assert.equal(status, 0, output);
  assert.match(output, /^124 objects deleted that this edition does not name$/m);
  assert.ok(storage.objects.delete('other/file'));
  assert.ok(storage.objects.delete('site/_astro/young.css'));
  await assertHoldsEdition();

  const { resources, header_sets: headerSets } = await read();
  for (const { file, type, headers, encodings } of resources) {
    const stored = storage.objects.get(`site/${file}`)!.headers;
    const { 'cache-control': caching, 'content-disposition': disposition } = headerSets[headers]!;
    assert.equal(stored['content-type'], type);
    assert.equal(stored['cache-control'], caching);
    assert.equal(stored['content-disposition'], disposition);
    for (const variant of Object.values(encodings)) {
      const { headers } = storage.objects.get(`site/${variant.file}`)!;
      assert.equal(headers['content-type'], 'application/octet-stream', variant.file);
    }
  }
  const last = storage.requests.indexOf('PUT site/edition.json');
  assert.ok(resources.every(({ file }) => storage.requests.indexOf(`PUT site/${file}`) < last));
  assert.equal(storage.objects.get('site/edition.json')!.headers['cache-control'], 'no-cache');
  const left = (await readdir(join(source, '..'))).filter((name) => name.includes('upload'));
  assert.deepEqual(left, []);
});

test(
  'an upload that is killed leaves a complete edition, and much else only until the number is given',
  aws,
  async (context) => {
    const { names, source, storage, start, upload, assertHoldsEdition } = await setUp(
      context,
      true,
    );
    const files = (await names()).length;
    const foreign = files * 4 + 1;
    for (let at = 0; at < foreign; at++) storage.put(`site/photos/${at}.jpg`, 'a photo');
    const refused = await upload();
    assert.equal(refused.status, 1);
    assert.match(
      refused.output,
      /site has \d+ objects that .* photos\/\d+\.jpg for one: .* --delete-up-to/,
    );
    assert.equal(storage.objects.size, files + foreign);
    assert.equal((await upload('--delete-up-to', 'all')).status, 2);

    const deletingAll = ['--delete-up-to', String(foreign + 1)];
    let day = '';
    await changeManifest(source, (manifest) => {
      day = manifest.resources.find(({ path }) => path.startsWith('/api/reviews/since/'))!.file;
      manifest.resources = manifest.resources.filter(({ file }) => file !== day);
      manifest.since = null;
    });
    const next = await readFile(join(source, MANIFEST_FILE));
    for (const step of ['PUT site/edition.json', 'POST delete']) {
      const child = start(deletingAll);
      storage.before = (request) => {
        if (request === step) process.kill(-child.pid!, 'SIGKILL');
      };
      const [, signal] = (await once(child, 'close')) as [null, string];
      assert.equal(signal, 'SIGKILL', step);
      storage.before = () => {};
      const published = storage.objects.get('site/edition.json')!.bytes;
      const { resources } = manifest.parse(JSON.parse(published.toString()));
      for (const { file } of resources) assert.ok(storage.objects.has(`site/${file}`), file);
    }
    const { status, output } = await upload(...deletingAll);
    assert.equal(status, 0, output);
    assert.deepEqual(storage.objects.get('site/edition.json')!.bytes, next);
    await assertHoldsEdition();
    const beside = await readdir(join(source, '..'));
    assert.deepEqual(
      beside.filter((name) => name.includes('upload')),
      [],
    );
  },
);
