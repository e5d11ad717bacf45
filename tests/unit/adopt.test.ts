import assert from 'node:assert/strict';
import { readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { adoptEdition } from '../../sidecar/edition/adopt.ts';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { FolderSource } from '../../sidecar/edition/folder-source.ts';
import { IncompleteEditionError } from '../../sidecar/edition/incomplete-edition-error.ts';
import { OriginSource } from '../../sidecar/edition/origin-source.ts';
import { jsonLogger } from '../../sidecar/base/log.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { silent } from '../support/edition.ts';
import {
  announceText,
  changeManifest,
  editionFolder,
  publishText,
  putFile,
} from '../support/edition-folder.ts';
import { bytesOf } from '../support/http.ts';
import { Origin } from '../support/origin.ts';
import { sampleApp } from '../support/targets.ts';

const quiet = jsonLogger('error', () => {});

test('an edition is served from its own copy, whatever happens to the source', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { folder } = await adopt(source, dataDir);
  const before = await readFile(join(folder, 'feed.xml'));
  await writeFile(join(source, 'feed.xml'), 'written over in place');
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
  await rm(source, { recursive: true });
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
});

test('a file that is missing or changed makes an edition incomplete, and it is not kept', async (context) => {
  for (const damage of [
    (file: string) => rm(file),
    (file: string) => writeFile(file, 'half a file'),
  ]) {
    const { source, dataDir } = await editionFolder(context);
    await damage(join(source, 'insights.json'));
    await assert.rejects(adopt(source, dataDir), IncompleteEditionError);
    assert.deepEqual(await editionsIn(dataDir), []);
  }
});

test('a half-uploaded edition is not served; when it is whole it is', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await CurrentEdition.open(new FolderSource(source), dataDir, quiet);
  const { id } = current.get();
  await announceText(source, 'robots.txt', 'User-agent: someone\n');
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get().id, id);
  await writeFile(join(source, 'robots.txt'), 'User-agent: someone\n');
  assert.equal(await current.refresh(), 'adopted');
  assert.notEqual(current.get().id, id);
});

test('an edition that cannot be noted is not served; when it can be it is', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await CurrentEdition.open(new FolderSource(source), dataDir, quiet);
  const { id } = current.get();
  await publishText(source, 'robots.txt', 'another\n');
  const inTheWay = join(dataDir, 'editions', `current.json.${process.pid}`);
  await symlink(join(source, 'no such folder/file'), inTheWay);
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get().id, id);
  await rm(inTheWay);
  assert.equal(await current.refresh(), 'adopted');
  assert.notEqual(current.get().id, id);
});

test('two editions are kept, older ones and what was left half done go', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  for (const text of ['one\n', 'two\n', 'three\n']) {
    await announceText(source, 'robots.txt', text);
    await assert.rejects(adopt(source, dataDir), IncompleteEditionError);
    await publishText(source, 'robots.txt', text);
    await CurrentEdition.open(new FolderSource(source), dataDir, silent);
  }
  assert.equal((await editionsIn(dataDir)).length, 2);
  const staging = (await readdir(join(dataDir, 'editions'))).filter((name) =>
    name.includes('staging'),
  );
  assert.deepEqual(staging, []);
});

test('without its source the edition that was last served from it is served', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { source: other } = await editionFolder(context);
  const open = (folder: string) => CurrentEdition.open(new FolderSource(folder), dataDir, quiet);
  await open(source);
  await publishText(source, 'robots.txt', 'one\n');
  const { id } = (await open(source)).get();
  await rm(source, { recursive: true });
  assert.equal((await open(source)).get().id, id);
  await rm(other, { recursive: true });
  await assert.rejects(open(other), IncompleteEditionError, "another source's is not its own");
});

for (const file of ['feed.xml', 'reviews.json', 'insights-digest.json', 'robots.txt']) {
  for (const [damage, damaged] of [
    ['truncated', (path: string) => truncate(path)],
    ['gone', (path: string) => rm(path)],
  ] as const) {
    test(`a copy whose ${file} is ${damage} is taken again from a whole source`, async (context) => {
      const { source, dataDir } = await editionFolder(context);
      const open = () => CurrentEdition.open(new FolderSource(source), dataDir, quiet);
      const { id } = (await open()).get();
      await damaged(join(dataDir, 'editions', id, file));
      const edition = (await open()).get();
      const app = await sampleApp({ edition: () => edition });
      const response = await app.request(`/${file}`);
      assert.ok((await bytesOf(response)).equals(await readFile(join(source, file))));
    });
  }
}

test('a damaged copy of a remote source is not what a start settles for', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const origin = await Origin.start(context, source);
  const open = () => CurrentEdition.open(new OriginSource(origin.url), dataDir, quiet);
  const { id } = (await open()).get();
  const copy = join(dataDir, 'editions', id, 'feed.xml');
  await truncate(copy);
  await open();
  assert.ok((await readFile(copy)).equals(await readFile(join(source, 'feed.xml'))));
});

test('a copy that is damaged while it is not served is taken again when its turn comes', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await CurrentEdition.open(new FolderSource(source), dataDir, quiet);
  const { id } = current.get();
  const first = await readFile(join(source, MANIFEST_FILE), 'utf8');
  const robots = await readFile(join(source, 'robots.txt'), 'utf8');
  await publishText(source, 'robots.txt', 'another\n');
  assert.equal(await current.refresh(), 'adopted');
  const copy = join(dataDir, 'editions', id, 'robots.txt');
  await truncate(copy);
  await putFile(source, 'robots.txt', robots);
  await putFile(source, MANIFEST_FILE, first);
  assert.equal(await current.refresh(), 'adopted');
  assert.equal(await readFile(copy, 'utf8'), robots);
});

test('a manifest cannot name a file outside the folder', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const name = 'x\n/../../../compile-cache/pwned.js';
  await changeManifest(source, ({ resources }) => (resources[0]!.file = name));
  await assert.rejects(adopt(source, dataDir), /edition\.json is refused: resources: 0: file/);
  await assert.rejects(readdir(dataDir), { code: 'ENOENT' });
});

test('a manifest that contradicts itself leaves the last edition in place', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await CurrentEdition.open(new FolderSource(source), dataDir, quiet);
  const served = current.get();
  await changeManifest(source, ({ resources }) => (resources[0]!.headers = 99));
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get(), served);
});

async function adopt(source: string, dataDir: string) {
  const bytes = await readFile(join(source, MANIFEST_FILE));
  return adoptEdition(new FolderSource(source), bytes, dataDir, async () => undefined);
}

async function editionsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'editions'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.staging'))
    .map(({ name }) => name);
}
