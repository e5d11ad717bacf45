import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { notNotified } from '../../src/build/ping-hub.ts';
import { contentIntegration } from '../../src/build/content-integration.ts';
import { editionIntegration } from '../../src/build/integration.ts';
import { readOptions } from '../../src/build/settings.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { parsePublicKeys, SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { EDITION_KEY_PATH } from '../../src/paths.ts';
import { BISTRO_BUILD, bistroEdition, PUBLIC_KEY, SITE } from '../support/bistro-edition.ts';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition, filesOf, readDataset, TEST_BUILD } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

const { client, output } = await bistroEdition();
const dist = join(client, '..');
const built = await filesOf(dist);

/** Arguments of Astro to an integration at the start of a build. */
const SETUP = {
  command: 'build',
  config: { root: pathToFileURL(`${ROOT}/`) },
  updateConfig: () => {},
  injectRoute: () => {},
};

/** The files of the last edition that the next one reads. */
const LAST = ['client/edition.json', `client/${SIGNATURE_FILE}`];
/** Rendered files, without those that an edition can lack. */
const DOCUMENTS = ['feed.xml', 'api/feed.json', 'reviews.json', 'insights-digest.json'];
const RENDERED = ['server', ...DOCUMENTS.map((name) => `client/${name}`)];

/** Asserts that a build that failed left the edition, and nothing beside it. */
async function assertUntouched(): Promise<void> {
  assert.deepEqual(await filesOf(dist), built);
  assert.deepEqual((await readdir(join(dist, '..'))).sort(), ['content', 'dist']);
}

test('publishes the key of its signature', () => {
  assert.match(output, /signed as number 20\d{12}, until \d{4}-\d\d-\d\d\n/);
  const { keys } = JSON.parse(built.get(`client${EDITION_KEY_PATH}`)!.toString()) as {
    keys: { x: string; kty: string }[];
  };
  const [key] = parsePublicKeys(keys.map(({ x }) => x).join());
  assert.ok(key!.equals(PUBLIC_KEY));
});

test('says why it builds nothing in a folder with # or ? in its name', async () => {
  const { hooks } = contentIntegration(readOptions(BISTRO_BUILD));
  for (const folder of ['/srv/a#b/', '/srv/a?b/']) {
    const options = { command: 'build', config: { root: pathToFileURL(folder) } } as never;
    await assert.rejects(
      async () => hooks['astro:config:setup']!(options),
      (error: Error) => error.message.startsWith(`${folder}: the path must not contain # or ?`),
    );
  }
});

test('refuses bad content, names its issues, and leaves the last edition as it was', async (context) => {
  const CONTENT_DIR = await contentFolder(context, { 'business.json': null });
  await assert.rejects(buildEdition(dist, { ...BISTRO_BUILD, CONTENT_DIR }), (error) => {
    const { code, stderr } = (error as Error).cause as { code: number; stderr: string };
    assert.equal(code, 1);
    assert.equal(stderr, 'content/business.json: is missing\n', 'nothing else is said');
    return true;
  });
  await assertUntouched();
});

test('leaves the last edition as it was when the last step fails', async (context) => {
  const outDir = join(await temporaryFolder(context), 'dist');
  const copy = async (to: string, names: readonly string[]) => {
    for (const name of names) await cp(join(dist, name), join(to, name), { recursive: true });
  };
  await copy(outDir, LAST);
  await copy(`${outDir}.next`, RENDERED);
  const last = await filesOf(outDir);
  const env = { ...TEST_BUILD, ...BISTRO_BUILD, EDITION_SEQUENCE: '1' };
  const options = readOptions({ ...env, CONTENT_DIR: await contentFolder(context, {}) });
  const [content, edition] = [contentIntegration(options).hooks, editionIntegration(options).hooks];
  const config = { ...SETUP.config, outDir: pathToFileURL(`${outDir}/`) };
  const setup = { ...SETUP, config };
  await content['astro:config:setup']!(setup as never);
  await edition['astro:config:setup']!(setup as never);
  await assert.rejects(
    async () => edition['astro:build:done']!({ pages: [] } as never),
    /has number \d+, and this one would have 1:/,
  );
  assert.deepEqual(await filesOf(outDir), last);
});

test('describes every file in edition.json, by its exact bytes', async () => {
  const files = await filesOf(client);
  const manifest = JSON.parse(files.get('edition.json')!.toString()) as Manifest;
  assert.equal(manifest.base_url, SITE);
  const described = new Set(['edition.json', SIGNATURE_FILE, '_headers', '.htaccess', '.nojekyll']);
  for (const { file, size, etag, encodings } of manifest.resources) {
    const variants = Object.values(encodings).map((each) => ({
      ...each,
      etag: `"${each.sha256}"`,
    }));
    for (const each of [{ file, size, etag }, ...variants]) {
      const bytes = files.get(each.file)!;
      assert.deepEqual([bytes.length, strongETag(bytes)], [each.size, each.etag], each.file);
      described.add(each.file);
    }
  }
  assert.deepEqual([...described].sort(), [...files.keys()].sort());
  const { reviews } = await readDataset(client);
  for (const { id, url } of reviews) assert.equal(url, `${SITE}/reviews/${id}/`);
});

test('asks for a license of the data in one line', async (context) => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const contentDir = await contentFolder(context, {});
  const { hooks } = contentIntegration({ ...readOptions(TEST_BUILD, { contentDir }), print });
  await hooks['astro:config:setup']!(SETUP as never);
  assert.equal(lines.filter((line) => line.startsWith('The data has no license: ')).length, 1);
});

test('the first build succeeds and says that no subscriber exists yet', () => {
  const lines = output.trimEnd().split('\n');
  assert.ok(lines.length <= 15, output);
  assert.equal(lines.filter((line) => line.startsWith('Nobody to notify yet: ')).length, 1);
  assert.doesNotMatch(output, /ECONN|ENOTFOUND|not notified|cannot be reached/);
});

test('warns after a later build that subscribers were not notified, and why', () => {
  const error = new Error('http://127.0.0.1:9/hub cannot be reached: ECONNREFUSED');
  assert.equal(
    notNotified(error, false),
    `Subscribers were not notified: ${error.message}; npm run reviews -- ping does it later`,
  );
});
