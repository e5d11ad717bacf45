import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { keptManifest, MANIFEST_FORMAT } from '../../sidecar/edition/kept-editions.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { manifest } from '../../src/edition/manifest.ts';
import { silent } from '../support/edition.ts';
import { editionFolder } from '../support/edition-folder.ts';

test('the manifest of a kept edition is checked once, and again if its record is damaged', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const open = () =>
    CurrentEdition.open({ source: new FolderSource(source), dataDir, logger: silent });
  const { digest, manifest: checked } = (await open()).get();
  const folder = join(dataDir, 'editions', digest);
  const bytes = await readFile(join(folder, 'edition.json'));
  const unexpected = () => assert.fail('checked again');
  assert.deepEqual(await keptManifest(folder, bytes, unexpected), checked);
  assert.deepEqual((await open()).get().manifest, checked);

  const record = join(folder, '.manifest');
  const kept = await readFile(record);
  for (const damaged of [Buffer.alloc(0), kept.subarray(0, 100), kept.subarray(0, -1)]) {
    await writeFile(record, damaged);
    assert.deepEqual((await open()).get().manifest, checked);
    assert.ok((await readFile(record)).equals(kept), 'and kept for the next start');
  }
});

test('a record of the manifest of another edition is not used', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const edition = await CurrentEdition.open({
    source: new FolderSource(source),
    dataDir,
    logger: silent,
  });
  const folder = join(dataDir, 'editions', edition.get().digest);
  await assert.rejects(keptManifest(folder, Buffer.from('{}')), /edition\.json is refused/);
});

test('another shape of the manifest has another format, so that kept ones are checked again', () => {
  const shape = JSON.stringify(z.toJSONSchema(manifest, { io: 'input' }));
  const digest = createHash('sha256').update(shape).digest('hex').slice(0, 16);
  const KNOWN = { format: 1, digest: 'ea9a95d90163bc3b' };
  assert.deepEqual(
    { format: MANIFEST_FORMAT, digest },
    KNOWN,
    'raise MANIFEST_FORMAT and write both here',
  );
});
