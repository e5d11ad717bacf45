import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { notNotified } from '../../src/build/ping-hub.ts';
import { contentIntegration } from '../../src/build/content-integration.ts';
import { readOptions } from '../../src/build/settings.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { parsePublicKeys, SIGNATURE_FILE, verifyEdition } from '../../src/edition/signature.ts';
import { EDITION_KEY_PATH } from '../../src/paths.ts';
import { contentFolder, VALID_CONTENT } from '../support/content-folder.ts';
import { reproduceImage } from '../support/dockerfile.ts';
import { buildEdition, readDataset, TEST_TIME } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { jsonl, record } from '../support/reviews.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const SETTINGS = {
  CONTENT_DIR: VALID_CONTENT,
  HUB_URL: 'http://127.0.0.1:9/hub',
  SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  SITE_URL: 'https://reviews.example',
};

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

interface FailedBuild {
  code: number;
  stdout: string;
  stderr: string;
}

/** Variables of a shell or a CI that a bundler could write into what it bundles. */
const FOREIGN = {
  _: '/bin/sh',
  CI: '1',
  DEV: '1',
  PUBLIC_CI: '1',
  SITE: 'x',
  code: 'x',
  ASTRO_KEY: 'x',
  NODE_ENV: 'test',
  TZ: 'Asia/Tokyo',
  LC_ALL: 'tr_TR.UTF-8',
};

/** The valid content, built once for the tests that change nothing in it. */
const parent = await mkdtemp(join(tmpdir(), 'reviews-build-'));
after(() => rm(parent, { recursive: true, force: true }));
const { client, output } = await buildEdition(join(parent, 'dist'), SETTINGS);
const built = await filesOf(join(parent, 'dist'));

/** Asserts that a build that failed left the edition, and nothing beside it. */
async function assertUntouched(): Promise<void> {
  assert.deepEqual(await filesOf(join(parent, 'dist')), built);
  assert.deepEqual(await readdir(parent), ['dist']);
}

test('the target build of the Dockerfile, without the owner’s tools, builds the same edition, byte by byte, from the same content in another environment, and signs it with the next number', async (context) => {
  const folder = await temporaryFolder(context);
  const image = await reproduceImage('sidecar/Dockerfile', 'build');
  assert.ok(!existsSync(join(image.folder, 'src/owner')));
  const [, ...args] = image.command;
  const folders: Record<string, string> = {
    '/content': await contentFolder(context, {}),
    '/out/dist': join(folder, 'two'),
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    args.map((word) => folders[word] ?? word),
    {
      cwd: image.folder,
      env: {
        ...image.env,
        ...FOREIGN,
        ...SETTINGS,
        CONTENT_DIR: undefined,
        SOURCE_DATE_EPOCH: TEST_TIME,
        PREVIOUS_EDITION: client,
        EDITION_ROLLBACK: 'a test',
      },
    },
  );
  assert.match(stdout, /signed as number 20\d{12}/);
  const two = await filesOf(join(folder, 'two'));
  const signature = `client/${SIGNATURE_FILE}`;
  assert.ok(built.has('client/edition.json') && built.has('client/openapi.json.br'));
  assert.deepEqual([...two.keys()], [...built.keys()]);
  // The image's node_modules is a link, and the server has names of files in it.
  const linked = `${relative(image.folder, ROOT)}/`;
  const asInstalled = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll(linked, '').replaceAll(ROOT, ''), 'latin1');
  for (const [file, bytes] of built) {
    if (file !== signature) assert.ok(asInstalled(two.get(file)!).equals(bytes), `${file} differs`);
  }
  const manifest = built.get('client/edition.json')!;
  const [first, next] = [built, two].map((files) =>
    verifyEdition(files.get(signature)!, manifest, [createPublicKey(privateKey)]),
  );
  assert.deepEqual([first!.previous, first!.rollback], [null, null]);
  assert.deepEqual([next!.previous, next!.rollback], [first!.edition, 'a test']);
  assert.ok(next!.sequence > first!.sequence);
  assert.ok(built.has('server/entry.mjs'));
  for (const path of [parent, ROOT]) {
    const named = [...built].flatMap(([file, bytes]) => (bytes.includes(path) ? [file] : []));
    assert.deepEqual(named, [], `files that name ${path}`);
  }
});

test('publishes the key of its signature', () => {
  assert.match(output, /signed as number 20\d{12}, until \d{4}-\d\d-\d\d\n/);
  const { keys } = JSON.parse(built.get(`client${EDITION_KEY_PATH}`)!.toString()) as {
    keys: { x: string; kty: string }[];
  };
  const [key] = parsePublicKeys(keys.map(({ x }) => x).join());
  assert.ok(key!.equals(createPublicKey(privateKey)));
});

test('says why it builds nothing in a folder with # or ? in its name', async () => {
  const { hooks } = contentIntegration(readOptions(SETTINGS));
  for (const folder of ['/srv/a#b/', '/srv/a?b/']) {
    const options = { command: 'build', config: { root: pathToFileURL(folder) } } as never;
    await assert.rejects(
      async () => hooks['astro:config:setup']!(options),
      (error: Error) => error.message.startsWith(`${folder}: the path must not contain # or ?`),
    );
  }
});

test('refuses bad content, names every issue, and leaves the last edition as it was', async (context) => {
  const faulty = await contentFolder(context, {
    'reviews/2026.jsonl': jsonl(record({ rating: 9 })) + '{"id":',
    'faq/prices.md': 'No head.',
    'business.json': null,
  });
  const rebuild = buildEdition(join(parent, 'dist'), { ...SETTINGS, CONTENT_DIR: faulty });
  await assert.rejects(rebuild, (error) => {
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
  await assertUntouched();
});

test('leaves the last edition as it was when the last step fails', async () => {
  const rebuild = buildEdition(join(parent, 'dist'), { ...SETTINGS, EDITION_SEQUENCE: '1' });
  await assert.rejects(
    rebuild,
    ({ code, stderr }: FailedBuild & Error) =>
      code !== 0 && /has number \d+, and this one would have 1:/.test(stderr),
  );
  await assertUntouched();
});

test('describes every file in edition.json, by its exact bytes', async () => {
  const files = await filesOf(client);
  const manifest = JSON.parse(files.get('edition.json')!.toString()) as Manifest;
  assert.equal(manifest.base_url, 'https://reviews.example');
  const described = new Set(['edition.json', SIGNATURE_FILE, '_headers', '.nojekyll']);
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
  assert.ok(urls.every((url) => /^https:\/\/reviews\.example\/reviews\/[0-9A-Z]{26}\/$/.test(url)));
});

test('asks for a license of the data in one line', () => {
  assert.equal(output.match(/The data has no license: /g)?.length, 1, output);
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
