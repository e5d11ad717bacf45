import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import type { Manifest } from '../../src/edition/manifest.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { reviewsDataset } from '../../src/schema/dataset.ts';
import { contentFolder, VALID_CONTENT } from '../support/content-folder.ts';
import { buildEdition, readDataset } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { jsonl, record } from '../support/reviews.ts';

/** Reads every file below a folder, by path. */
async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const bytes = await Promise.all(files.map((file) => readFile(file)));
  return new Map(files.map((file, at) => [file.slice(folder.length + 1), bytes[at]!]));
}

async function distOf(outDir: string, contentDir: string): Promise<Map<string, Buffer>> {
  await buildEdition(outDir, { CONTENT_DIR: contentDir });
  return filesOf(outDir);
}

interface FailedBuild {
  code: number;
  stdout: string;
  stderr: string;
}

/** Writes the project's configuration plus an endpoint that throws when rendered. */
async function configWithBrokenEndpoint(folder: string): Promise<string> {
  const endpoint = join(folder, 'broken.ts');
  await writeFile(endpoint, `export const GET = () => { throw new Error('nothing to render'); };`);
  const file = join(folder, 'astro.config.mjs');
  await writeFile(
    file,
    `import config from ${JSON.stringify(join(ROOT, 'astro.config.mjs'))};
    const route = { pattern: '/broken.txt', entrypoint: ${JSON.stringify(endpoint)} };
    const hooks = { 'astro:config:setup': ({ injectRoute }) => injectRoute(route) };
    export default { ...config, integrations: [...config.integrations, { name: 'broken', hooks }] };`,
  );
  return file;
}

test('builds the same edition, byte by byte, from the same content, in any folder', async (context) => {
  const folder = await temporaryFolder(context);
  const one = await distOf(join(folder, 'one'), VALID_CONTENT);
  const two = await distOf(join(folder, 'two'), await contentFolder(context, {}));
  assert.ok(one.has('client/edition.json') && one.has('client/reviews.json.br'));
  assert.deepEqual([...two.keys()], [...one.keys()]);
  for (const [file, bytes] of one) assert.ok(two.get(file)!.equals(bytes), `${file} differs`);
  assert.ok(one.has('server/entry.mjs'));
  for (const path of [folder, ROOT]) {
    const named = [...one].flatMap(([file, bytes]) => (bytes.includes(path) ? [file] : []));
    assert.deepEqual(named, [], `files that name ${path}`);
  }
});

test('refuses content with faults, names them all, and leaves the last edition as it was', async (context) => {
  const parent = await temporaryFolder(context);
  const dist = join(parent, 'dist');
  await buildEdition(dist, { CONTENT_DIR: VALID_CONTENT });
  const before = await filesOf(dist);

  const faulty = await contentFolder(context, {
    'reviews/2026.jsonl': jsonl(record({ rating: 9 })) + '{"id":',
    'faq/prices.md': 'No head.',
    'business.json': null,
  });
  await assert.rejects(buildEdition(dist, { CONTENT_DIR: faulty }), (error) => {
    const { code, stdout, stderr } = error as FailedBuild & Error;
    assert.equal(code, 1);
    assert.match(stderr, /^content\/ has \d+ /, 'nothing precedes the issues');
    for (const fault of [
      'content/reviews/2026.jsonl:1: rating: must be 1 to 5 (was 9)',
      'content/reviews/2026.jsonl:2: broken JSON: ',
      'content/faq/prices.md:1: must begin with front matter between two lines of ---',
      'content/business.json: is missing',
    ]) {
      assert.ok((stdout + stderr).includes(fault), `${fault}\nis not in\n${stdout}${stderr}`);
    }
    return true;
  });
  assert.deepEqual(await filesOf(dist), before);
  assert.deepEqual(await readdir(parent), ['dist']);
});

test('leaves the last edition as it was when rendering fails', async (context) => {
  const parent = await temporaryFolder(context);
  const dist = join(parent, 'dist');
  await buildEdition(dist, { CONTENT_DIR: VALID_CONTENT });
  const before = await filesOf(dist);
  const config = await configWithBrokenEndpoint(await temporaryFolder(context));
  await assert.rejects(
    buildEdition(dist, { CONTENT_DIR: VALID_CONTENT }, ['--config', relative(ROOT, config)]),
    ({ code, stderr }: FailedBuild & Error) =>
      code === 1 && stderr.includes('broken') && stderr.includes('nothing to render'),
  );
  assert.deepEqual(await filesOf(dist), before);
  assert.deepEqual(await readdir(parent), ['dist']);
});

test('describes every file in edition.json, by its exact bytes', async (context) => {
  const { client } = await buildEdition(join(await temporaryFolder(context), 'dist'), {
    CONTENT_DIR: VALID_CONTENT,
    SITE_URL: 'https://reviews.example',
  });
  const files = await filesOf(client);
  const manifest = JSON.parse(files.get('edition.json')!.toString()) as Manifest;
  assert.equal(manifest.base_url, 'https://reviews.example');
  const described = new Set(['edition.json', '_headers']);
  for (const { file, size, etag, encodings } of manifest.resources) {
    const bytes = files.get(file)!;
    assert.deepEqual([bytes.length, strongETag(bytes)], [size, etag], file);
    described.add(file);
    for (const variant of Object.values(encodings)) {
      const encoded = files.get(variant.file)!;
      assert.deepEqual(
        [encoded.length, strongETag(encoded)],
        [variant.size, `"${variant.sha256}"`],
      );
      described.add(variant.file);
    }
  }
  assert.deepEqual([...described].sort(), [...files.keys()].sort());
  const urls = (await readDataset(client)).reviews.map(({ url }) => url);
  assert.ok(urls.every((url) => url.startsWith('https://reviews.example/reviews/2026-01/#')));
});

test('builds a business without a published review', async (context) => {
  const contentDir = await contentFolder(context, {
    'reviews/2026.jsonl': jsonl(record({ verified: false })),
    'summary.md': null,
    'faq/prices.md': null,
  });
  const { client } = await buildEdition(join(await temporaryFolder(context), 'dist'), {
    CONTENT_DIR: contentDir,
  });
  const dataset = reviewsDataset.parse(await readDataset(client));
  assert.deepEqual(dataset.reviews, []);
  assert.deepEqual([dataset.coverage.known, dataset.coverage.published], [1, 0]);
});

test('warns in one line that no hub listens, and succeeds', async (context) => {
  const { output } = await buildEdition(join(await temporaryFolder(context), 'dist'), {
    CONTENT_DIR: VALID_CONTENT,
    HUB_URL: 'http://127.0.0.1:9/hub',
  });
  const lines = output.trimEnd().split('\n');
  assert.ok(lines.length <= 15, output);
  const warnings = lines.filter((line) => line.startsWith('Subscribers were not notified: '));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /http:\/\/127\.0\.0\.1:9\/hub cannot be reached/);
});
