import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { manifest, MANIFEST_FILE, withItself, type Manifest } from '../../src/edition/manifest.ts';
import { nginxFiles } from '../../src/commands/nginx.ts';
import { sampleEdition } from '../support/edition.ts';

test('every file and variant has a place and an ETag, edition.json too', async () => {
  const sample = await readSample();
  const described = withItself(sample, Buffer.from('{}'));
  const { maps } = nginxFiles(described, '/srv');
  assert.equal(described.resources.at(-1)!.path, '/edition.json');
  for (const { file, etag, encodings } of described.resources) {
    assert.ok(maps.includes(`/${file}" "\\"${etag.slice(1, -1)}\\"";`), file);
    for (const [encoding, variant] of Object.entries(encodings)) {
      const tag = `\\"${etag.slice(1, -1)}-${encoding}\\"`;
      assert.ok(maps.includes(`/${variant.file}" "${tag}";`), variant.file);
    }
  }
});

test('the headers of edition.json are sent word for word', async () => {
  const sample = await readSample();
  const { locations } = nginxFiles(sample, '/srv');
  for (const headers of sample.header_sets) {
    for (const [name, value] of Object.entries(headers)) {
      assert.ok(locations.includes(`add_header ${name} "${value.replaceAll('"', '\\"')}";`), name);
    }
  }
});

test('what would be a variable or a directive of nginx is refused', async () => {
  const sample = await readSample();
  for (const path of ['/$request_uri', '/a%0Ab', '/%00']) {
    const resources = [{ ...sample.resources[0]!, path }];
    assert.throws(() => nginxFiles({ ...sample, resources }, '/srv'), /cannot serve the path/);
  }
  assert.throws(() => nginxFiles(sample, '/srv/$host'), /cannot serve the path/);
});

async function readSample(): Promise<Manifest> {
  const bytes = await readFile(join(await sampleEdition(), MANIFEST_FILE), 'utf8');
  return manifest.parse(JSON.parse(bytes));
}
