import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { upload as uploadCommand } from '../../src/owner/commands/upload.ts';
import { changeManifest, editionFolder } from '../support/edition-folder.ts';
import { readManifest } from '../support/pages.ts';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { startStorage } from '../support/s3-server.ts';

const aws = { skip: spawnSync('aws', ['--version']).error ? 'the AWS client is missing' : false };

const NEEDED = /^\/(feed\.xml|api\/feed\.json|reviews\.json|insights-digest\.json)$/;

/**
 * Leaves an encoded page, a download, and the files that an edition needs with the headers of the page:
 * for each set of headers the client starts once more.
 */
async function leaveFew(source: string): Promise<void> {
  await changeManifest(source, (manifest) => {
    const page = manifest.resources.find(({ path }) => path === '/')!;
    const { type, headers } = page;
    manifest.resources = manifest.resources.flatMap((resource) => {
      if (resource === page) return page;
      if (resource.path === '/reviews.csv') return { ...resource, encodings: {} };
      return NEEDED.test(resource.path) ? { ...resource, type, headers, encodings: {} } : [];
    });
  });
}

/** An edition of few files, and an empty bucket. */
async function setUp(context: TestContext) {
  const { source } = await editionFolder(context);
  await leaveFew(source);
  const storage = await startStorage(context);
  const upload = async (...options: string[]) => {
    const args = ['upload', '--localhost', source, 's3://bucket/site', ...options];
    const command = ['src/owner/main.ts', ...args];
    const { stdout, stderr } = await run(process.execPath, command, storage.env);
    return stdout + stderr;
  };
  const read = () => readManifest(source);
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
  return { source, storage, upload, read, names, assertHoldsEdition };
}

test(
  'an upload leaves the edition alone, with its headers, also after half of one',
  aws,
  async (context) => {
    const { names, source, storage, upload, read, assertHoldsEdition } = await setUp(context);
    const others = ['site/reviews/gone/index.html', 'site/api/reviews/since/2020-01-01'];
    for (const name of others) storage.put(name, 'They came late.');
    storage.put('site/_astro/young.css', 'a page in a cache needs it');
    storage.put('site/_astro/old.css', 'nothing needs it', new Date(Date.now() - 2 * 86_400_000));
    storage.put('other/file', 'is not below the prefix');
    const files = (await names()).length;
    for (let at = 0; at < files * 4; at++) storage.put(`site/photos/${at} ü&.jpg`, 'a photo');
    const foreign = files * 4 + others.length + 1;
    const { size } = storage.objects;

    // More than the edition explains is deleted only when the number is given.
    const refused = `site has ${foreign} objects that .*: .* --delete-up-to ${foreign}$`;
    await assert.rejects(upload(), new RegExp(refused, 'm'));
    assert.equal(storage.objects.size, size + files);
    const { resources, header_sets: headerSets } = await read();
    const last = storage.requests.indexOf('PUT site/edition.json');
    for (const { file } of resources) {
      const at = storage.requests.indexOf(`PUT site/${file}`);
      assert.ok(at >= 0 && at < last, `${file} is there when edition.json names it`);
    }

    const output = await upload('--delete-up-to', String(foreign));
    assert.match(output, new RegExp(`^${foreign} objects deleted that this edition`, 'm'));
    assert.ok(storage.objects.delete('other/file'));
    assert.ok(storage.objects.delete('site/_astro/young.css'));
    await assertHoldsEdition();

    const typeOf = (name: string) => storage.objects.get(name)!.headers['content-type'];
    for (const { file, type, headers, encodings } of resources) {
      const stored = storage.objects.get(`site/${file}`)!.headers;
      const { 'cache-control': caching, 'content-disposition': disposition } = headerSets[headers]!;
      assert.equal(stored['content-type'], type);
      assert.equal(stored['cache-control'], caching);
      assert.equal(stored['content-disposition'], disposition);
      for (const variant of Object.values(encodings)) {
        assert.equal(typeOf(`site/${variant.file}`), 'application/octet-stream', variant.file);
      }
    }
    assert.equal(storage.objects.get('site/edition.json')!.headers['cache-control'], 'no-cache');
    const left = (await readdir(join(source, '..'))).filter((name) => name.includes('upload'));
    assert.deepEqual(left, []);
  },
);

test('an edition of localhost is uploaded only with an option', async (context) => {
  const { source } = await editionFolder(context);
  const { error } = await runHere(uploadCommand, '', [source, 's3://a']);
  assert.match(String(error), /links lead to http:\/\/localhost:4321: build it with SITE_URL=/);
});

test('the number of objects to delete is a number', async () => {
  const { error } = await runHere(uploadCommand, '', ['folder', 's3://a', '--delete-up-to', 'all']);
  assert.match(String(error), /usage: /);
});
