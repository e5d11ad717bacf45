import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { adoptEdition, IncompleteEditionError } from '../../sidecar/edition/adopt.ts';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { jsonLogger } from '../../sidecar/log.ts';
import { MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { quoteDigest, sha256 } from '../../src/edition/etag.ts';
import { sampleEdition, silent, temporaryFolder } from '../support/edition.ts';

const quiet = jsonLogger('error', () => {});

test('an edition is served from its own copy, whatever happens to the source', async (context) => {
  const { source, dataDir } = await folders(context);
  const { folder } = await adoptEdition(source, dataDir);
  const before = await readFile(join(folder, 'feed.xml'));
  await writeFile(join(source, 'feed.xml'), 'written over in place');
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
  await rm(source, { recursive: true });
  assert.deepEqual(await readFile(join(folder, 'feed.xml')), before);
});

test('a file that is missing or changed makes an edition incomplete, and nothing is kept', async (context) => {
  for (const damage of [
    (file: string) => rm(file),
    (file: string) => writeFile(file, 'half a file'),
  ]) {
    const { source, dataDir } = await folders(context);
    await damage(join(source, 'insights.json'));
    await assert.rejects(adoptEdition(source, dataDir), IncompleteEditionError);
    assert.deepEqual(await readdir(join(dataDir, 'editions')), []);
  }
});

test('a half-uploaded edition is not served; when it is whole it is', async (context) => {
  const { source, dataDir } = await folders(context);
  const current = await CurrentEdition.open(source, dataDir, quiet);
  const { id } = current.get();
  const robots = join(source, 'robots.txt');
  await changeManifest(source, 'robots.txt', 'User-agent: someone\n');
  await current.refresh();
  assert.equal(current.get().id, id);
  await rm(robots);
  await writeFile(robots, 'User-agent: someone\n');
  await current.refresh();
  assert.notEqual(current.get().id, id);
});

test('two editions are kept, older ones go', async (context) => {
  const { source, dataDir } = await folders(context);
  for (const text of ['one\n', 'two\n', 'three\n']) {
    await rm(join(source, 'robots.txt'));
    await writeFile(join(source, 'robots.txt'), text);
    await changeManifest(source, 'robots.txt', text);
    await CurrentEdition.open(source, dataDir, silent);
  }
  assert.equal((await readdir(join(dataDir, 'editions'))).length, 2);
});

async function folders(context: Parameters<typeof temporaryFolder>[0]) {
  const folder = await temporaryFolder(context);
  const source = join(folder, 'source');
  await cp(await sampleEdition(), source, { recursive: true });
  return { source, dataDir: join(folder, 'data') };
}

/** Writes a manifest in which a file has other bytes. */
async function changeManifest(source: string, file: string, text: string): Promise<void> {
  const path = join(source, MANIFEST_FILE);
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  const resource = manifest.resources.find((known) => known.file === file)!;
  resource.size = Buffer.byteLength(text);
  resource.etag = quoteDigest(sha256(text));
  await writeFile(path, JSON.stringify(manifest));
}
