import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { doctor } from '../../src/owner/commands/doctor.ts';
import { sampleEdition } from '../support/edition.ts';
import { changeManifest, editionFolder } from '../support/edition-folder.ts';
import { freePort } from '../support/free-port.ts';
import { APACHE, startApacheWith } from '../support/fronts.ts';
import { exchange } from '../support/http.ts';
import { runHere } from '../support/run-here.ts';

const skip = !existsSync(APACHE) && 'Apache is not installed';

const what = 'a site of files on Apache, with .htaccess alone, is what doctor expects';
test(what, { skip }, async (context) => {
  const { source } = await editionFolder(context);
  cpSync(join(await sampleEdition(), '.htaccess'), join(source, '.htaccess'));
  cpSync(join(await sampleEdition(), '_headers'), join(source, '_headers'));
  // A site of files has a page for searches.
  cpSync(join(source, 'index.html'), join(source, 'search/index.html'));
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  await changeManifest(source, (manifest) => {
    manifest.base_url = site;
    manifest.site!.files_only = true;
  });
  await chmod(join(source, '..'), 0o755);
  await startApacheWith(context, port, 'dir mime headers autoindex setenvif alias', [
    `KeepAlive Off\nTypesConfig /etc/mime.types\nDocumentRoot ${source}`,
    `<Directory />\nAllowOverride FileInfo\nOptions Indexes FollowSymLinks\nRequire all granted\n</Directory>`,
  ]);
  const { output, status } = await runHere(doctor, '', [site]);
  assert.equal(status, 0, output);

  const get = (path: string) => exchange(site, path);
  const missing = await get('/nothing/');
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /^<!doctype html>/i, 'the page of the site');
  for (const path of ['/_astro/', '/api/', '/.well-known', '/_headers', '/.htaccess']) {
    assert.equal((await get(path)).status, 404, path);
  }
  for (const [path, type] of [
    ['/feed.xml', 'application/atom+xml'],
    ['/sitemap.xml', 'application/xml'],
    ['/.well-known/mcp/server-card.json', 'application/mcp-server-card+json'],
  ] as const) {
    assert.equal((await get(path)).headers.get('content-type'), type, path);
  }
  const asset = await get(`/_astro/${readdirSync(join(source, '_astro'))[0]}`);
  assert.match(asset.headers.get('cache-control')!, /immutable/);
  const page = await get('/');
  assert.equal(page.headers.get('x-frame-options'), 'DENY');
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'/);
});
