import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { openEdition } from '../../sidecar/edition/edition.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { rehearse } from '../../sidecar/http/rehearse.ts';
import { jsonLogger } from '../../sidecar/base/log.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { editionFolder, publishText } from '../support/edition-folder.ts';

const quiet = jsonLogger('error', () => {});

test('a good edition passes its rehearsal', async (context) => {
  const { source } = await editionFolder(context);
  await rehearse(await opened(source, () => {}));
});

for (const [what, change] of Object.entries<(manifest: Manifest) => unknown>({
  'a header set that does not exist': ({ resources }) => (resources.at(-1)!.headers = 99),
  'a header value with a line break': ({ header_sets: sets }) => (sets[0]!.link = 'a\r\nb: c'),
  'a header name with a space': ({ header_sets: sets }) => (sets.at(-1)!['a b'] = 'c'),
  'a media type with a line break': ({ resources }) => (resources.at(-1)!.type = 'a/b\r\nc: d'),
})) {
  test(`an edition with ${what} fails its rehearsal`, async (context) => {
    const { source } = await editionFolder(context);
    const edition = await opened(source, change);
    await assert.rejects(async () => rehearse(edition));
  });
}

test('an edition with wrong bytes of one kind fails its rehearsal', async (context) => {
  const { source } = await editionFolder(context);
  const edition = await opened(source, () => {});
  await writeFile(join(source, 'feed.xml.br'), 'other bytes');
  await assert.rejects(rehearse(edition), /feed\.xml\.br is damaged/);
});

test('an edition that fails its rehearsal leaves the last one in place', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  let reject = false;
  const options = {
    source: new FolderSource(source),
    dataDir,
    logger: quiet,
    rehearse: async () => {
      if (reject) throw new Error('one of them is not served');
    },
  };
  const current = await CurrentEdition.open(options);
  const served = current.get();
  await publishText(source, 'robots.txt', 'another\n');
  reject = true;
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get(), served);
  assert.equal(
    (await CurrentEdition.open({ ...options, source: options.source })).get().digest,
    served.digest,
  );
});

/** Opened without the check of its manifest. */
async function opened(folder: string, change: (manifest: Manifest) => unknown) {
  const manifestBytes = await readFile(join(folder, MANIFEST_FILE));
  const parsed = manifest.parse(JSON.parse(manifestBytes.toString()));
  change(parsed);
  return openEdition({ digest: 'x', folder, manifest: parsed, manifestBytes });
}
