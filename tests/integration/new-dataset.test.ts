import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

async function folderOf(context: TestContext): Promise<string> {
  return join(await temporaryFolder(context), 'content');
}

function runNew(folder: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'src/commands/main.ts'), 'new', ...args],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, CONTENT_DIR: folder } },
  );
  return { status, output: stdout + stderr };
}

test('writes a dataset that the build reads, of what is known', async (context) => {
  const folder = await folderOf(context);
  const flags = ['--name', 'Bistro Málaga', '--category', 'restaurant', '--city', 'Málaga'];
  const address = ['--street', 'Calle Mayor 7', '--postal-code', '29001', '--country', 'es'];
  const contact = ['--website', 'bistro.example', '--phone', '+34 951 555 014'];
  const names = ['--author-display', 'initials'];
  const { status, output } = runNew(folder, ...flags, ...address, ...contact, ...names);
  assert.equal(status, 0, output);
  const { business, vocabulary, reviews } = await readContent(folder);
  assert.deepEqual(
    [business.name, business.url, business.phone, business.author_display],
    ['Bistro Málaga', 'https://bistro.example', '+34951555014', 'initials'],
  );
  assert.deepEqual(business.address, {
    street: 'Calle Mayor 7',
    city: 'Málaga',
    region: null,
    postal_code: '29001',
    country: 'ES',
  });
  assert.deepEqual(business.service_areas, ['malaga']);
  assert.equal(vocabulary.service_areas[0]!.label, 'Málaga');
  assert.deepEqual(reviews, []);
});

test('moves the sample aside, so that nothing of it is left', async (context) => {
  const folder = await folderOf(context);
  await cp(join(ROOT, 'content'), folder, { recursive: true });
  const { status } = runNew(folder, '--name', 'Fenwick Drains', '--category', 'plumber');
  assert.equal(status, 0);
  assert.deepEqual((await readdir(folder)).sort(), ['README.md', 'business.json']);
  assert.ok((await readdir(`${folder}.sample`)).includes('reviews'));
});

test('never writes over another dataset', async (context) => {
  const folder = await folderOf(context);
  runNew(folder, '--name', 'Fenwick Drains', '--category', 'plumber');
  const before = await readFile(join(folder, 'business.json'), 'utf8');
  const { status, output } = runNew(folder, '--name', 'Other', '--category', 'plumber');
  assert.equal(status, 1);
  assert.match(output, /already has the dataset of Fenwick Drains: set CONTENT_DIR/);
  assert.equal(await readFile(join(folder, 'business.json'), 'utf8'), before);
});

test('refuses a folder of something else', async (context) => {
  const folder = await temporaryFolder(context);
  await writeFile(join(folder, 'thesis.txt'), 'x');
  const { status, output } = runNew(folder, '--name', 'A', '--category', 'b');
  assert.equal(status, 1);
  assert.match(output, /something else \(thesis\.txt\)/);
});

test('names every value that cannot be published, and writes nothing', async (context) => {
  const folder = await folderOf(context);
  const args = ['--name', 'A', '--category', 'b', '--phone', '555', '--country', 'Spain'];
  const { status, output } = runNew(folder, ...args);
  assert.equal(status, 2);
  for (const field of ['phone', 'address.street', 'address.city', 'address.country']) {
    assert.match(output, new RegExp(`business\\.json: ${field}: `));
  }
  await assert.rejects(readdir(folder));
});

test('a script must say the name and the category', async (context) => {
  const { status, output } = runNew(await folderOf(context), '--name', 'A');
  assert.equal(status, 2);
  assert.match(output, /--category TEXT/);
});
