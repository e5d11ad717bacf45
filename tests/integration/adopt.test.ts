import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import {
  announceText,
  changeManifest,
  editionFolder,
  openCurrent,
  publishText,
  putFile,
} from '../support/edition-folder.ts';
import { recorder } from '../support/edition.ts';
import { openSampleFolder, sampleApp } from '../support/targets.ts';

const OLD_DAY = '/api/reviews/since/2001-01-01';

test('an edition is served from its own copy, whatever happens to the source', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { digest } = (await openCurrent(source, dataDir)).get();
  const folder = join(dataDir, 'editions', digest);
  const before = await readFile(join(folder, 'feed.xml'));
  await writeFile(join(source, 'feed.xml'), 'written over in place');
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
  await rm(source, { recursive: true });
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
});

test('an edition of another site, or with half of the reviews gone, waits for a word', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { logger, lines } = recorder('warn');
  const name = (base_url: string) =>
    changeManifest(source, (it) => void Object.assign(it, { base_url }));
  await name('https://reviews.example');
  const current = await openCurrent(source, dataDir, { logger });
  const { edition } = current.get().manifest;
  const text = await readFile(join(source, 'reviews.json'), 'utf8');
  const half = text.slice(0, text.length * 0.4);
  await publishText(source, 'reviews.json', `${half.slice(0, half.lastIndexOf(',\n'))}\n]}`);
  assert.equal(await current.refresh(), 'failed');
  assert.match(
    String(lines.at(-1)!.error),
    /its reviews have \d+ bytes, where those that are served/,
  );
  assert.match(String(lines.at(-1)!.error), new RegExp(`EDITION_ACCEPT=${edition}`));
  await publishText(source, 'reviews.json', text);
  await name('https://shop.example/reviews');
  assert.equal(await current.refresh(), 'failed');
  assert.match(String(lines.at(-1)!.error), /it is of https:\/\/shop\.example\/reviews, and https/);
  const site = async (accepted: string) =>
    (await openCurrent(source, dataDir, { logger, accepted })).get().manifest.base_url;
  assert.equal(await site('another'), 'https://reviews.example', 'also after a start');
  assert.equal(await site(edition), 'https://shop.example/reviews');
});

test('any edition follows one of localhost', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  await changeManifest(source, (it) => void (it.base_url = 'https://reviews.example'));
  assert.equal(await current.refresh(), 'adopted');
});

test('an edition that cannot be noted is not served; when it can be it is', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  const { digest } = current.get();
  await publishText(source, 'robots.txt', 'another\n');
  const inTheWay = join(dataDir, 'editions', '.current.json.part');
  await mkdir(inTheWay);
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get().digest, digest);
  await rmdir(inTheWay);
  assert.equal(await current.refresh(), 'adopted');
  assert.notEqual(current.get().digest, digest);
});

test('a start serves files before the reviews are indexed, and a search waits', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  let edition = await openSampleFolder();
  const app = await sampleApp({ edition: () => edition });
  for (const start of ['the first', 'the second']) {
    edition = (await openCurrent(source, dataDir)).get();
    const file = await app.request('/feed.xml');
    assert.equal(file.status, 200, start);
    assert.equal((await app.request('/healthz')).status, 200, start);
    assert.throws(() => edition.search, /not indexed yet/);
    const paths = ['/api/reviews/search', '/api/reviews/count', '/search/', OLD_DAY];
    const responses = await Promise.all(paths.map((path) => app.request(path)));
    for (const { status, url } of responses) assert.equal(status, 200, url);
  }
});

test('an edition replaces another once its reviews are indexed', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  await publishText(source, 'robots.txt', 'one\n');
  await current.refresh();
  assert.ok(current.get().search);
  await publishText(source, 'robots.txt', 'two\n');
  assert.ok((await openCurrent(source, dataDir)).get().search, 'also after a start');
});

test('two editions are kept, older ones and what was left half done go', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  for (const text of ['one\n', 'two\n', 'three\n']) {
    await announceText(source, 'robots.txt', `${text} half done`);
    assert.equal(await current.refresh(), 'failed');
    await publishText(source, 'robots.txt', text);
    assert.equal(await current.refresh(), 'adopted');
  }
  const names = (await readdir(join(dataDir, 'editions'))).filter(
    (name) => name !== 'current.json',
  );
  assert.equal(names.length, 2);
  assert.doesNotMatch(names.join(), /staging/);
});

test('a copy that is damaged while it is not served is good when its turn comes', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  const { digest } = current.get();
  const first = await readFile(join(source, MANIFEST_FILE), 'utf8');
  const robots = await readFile(join(source, 'robots.txt'), 'utf8');
  await publishText(source, 'robots.txt', 'another\n');
  assert.equal(await current.refresh(), 'adopted');
  const folder = join(dataDir, 'editions', digest);
  await truncate(join(folder, 'robots.txt'));
  await truncate(join(folder, MANIFEST_FILE));
  await putFile(source, 'robots.txt', robots);
  await putFile(source, MANIFEST_FILE, first);
  assert.equal(await current.refresh(), 'adopted');
  const app = await sampleApp({ edition: () => current.get() });
  assert.equal(await (await app.request('/robots.txt')).text(), robots);
  assert.equal(await readFile(join(folder, MANIFEST_FILE), 'utf8'), first);
});

test('files that an edition shares with the one before take no room twice', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  const first = join(dataDir, 'editions', current.get().digest);
  await publishText(source, 'robots.txt', 'another\n');
  await current.refresh();
  const second = join(dataDir, 'editions', current.get().digest);
  const inode = async (folder: string, file: string) => (await stat(join(folder, file))).ino;
  assert.equal(await inode(first, 'feed.xml'), await inode(second, 'feed.xml'));
  assert.notEqual(await inode(first, 'robots.txt'), await inode(second, 'robots.txt'));
});

test('a file that was damaged in the edition before is not taken from it', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  const feed = await readFile(join(source, 'feed.xml'));
  const damaged = join(dataDir, 'editions', current.get().digest, 'feed.xml');
  await writeFile(damaged, Buffer.alloc(feed.length, ' '));
  await publishText(source, 'robots.txt', 'another\n');
  assert.equal(await current.refresh(), 'adopted');
  const adopted = join(dataDir, 'editions', current.get().digest, 'feed.xml');
  assert.ok(feed.equals(await readFile(adopted)));
});
