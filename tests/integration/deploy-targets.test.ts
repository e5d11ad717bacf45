import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { editionFolder, publishText } from '../support/edition-folder.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { loadWorker } from '../support/fronts.ts';
import { programs, RSYNC_SERVER } from '../support/programs.ts';
import { run } from '../support/run.ts';

const rsync = { skip: spawnSync('rsync', ['--version']).error ? 'rsync is not installed' : false };

test('rsync.sh publishes release after release, and keeps three', rsync, async (context) => {
  const { source } = await editionFolder(context);
  const base = join(await temporaryFolder(context), 'srv');
  const server = { ...(await programs(context, RSYNC_SERVER)), RSYNC_BASE: base };
  await assert.rejects(
    run('sidecar/deploy/rsync.sh', [source, 'user@server'], server),
    /its links lead to localhost: build it with SITE_URL=/,
  );
  const env = { ...server, RSYNC_LOCALHOST: '1' };
  for (const text of ['one\n', 'two\n', 'three\n', 'four\n']) {
    await publishText(source, 'robots.txt', text);
    await chmod(join(source, 'edition.json'), 0o600); // as a strict umask leaves it
    await run('sidecar/deploy/rsync.sh', [source, 'user@server'], env);
    assert.equal(await readFile(join(base, 'current/robots.txt'), 'utf8'), text);
    for (const file of ['robots.txt', 'edition.json']) {
      assert.equal((await stat(join(base, 'current', file))).mode & 0o777, 0o644, file);
    }
  }
  const releases = await readdir(join(base, 'releases'));
  assert.equal(releases.length, 3);
  assert.ok(releases.includes((await readlink(join(base, 'current'))).split('/').at(-1)!));
});

test("Cloudflare's worker sends what is no file to the sidecar, with the client's own address", async (context) => {
  const worker = await loadWorker();
  const sent: Request[] = [];
  context.mock.method(globalThis, 'fetch', (request: Request) => {
    sent.push(request);
    return Promise.resolve(new Response('from the sidecar'));
  });
  const request = new Request('https://reviews.example/api/reviews/search?query=a%20b', {
    method: 'POST',
    body: '{}',
    headers: { 'cf-connecting-ip': '192.0.2.7', 'x-forwarded-for': '203.0.113.1' },
  });
  const response = await worker.fetch(request, { SIDECAR_ORIGIN: 'https://sidecar.example:8443' });
  const [only] = sent;
  assert.equal(only!.url, 'https://sidecar.example:8443/api/reviews/search?query=a%20b');
  assert.deepEqual([only!.method, await only!.text()], ['POST', '{}']);
  assert.equal(only!.headers.get('x-forwarded-for'), '192.0.2.7');
  assert.equal(await response.text(), 'from the sidecar');
  assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000');
});

test("Cloudflare's and Netlify's settings name the edition's folder and the sidecar", async () => {
  const wrangler = await readFile(join(ROOT, 'sidecar/deploy/cloudflare/wrangler.jsonc'), 'utf8');
  const { main, assets } = JSON.parse(wrangler.replaceAll(/,(\s*\})/g, '$1')) as {
    main: string;
    assets: { directory: string };
  };
  const folder = join(ROOT, 'sidecar/deploy/cloudflare');
  assert.equal(main, 'worker.js');
  assert.equal(join(folder, assets.directory), join(ROOT, 'dist/client'));
  const redirects = await readFile(join(ROOT, 'sidecar/deploy/netlify/_redirects'), 'utf8');
  const rules = redirects.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(rules, ['/* SIDECAR_ORIGIN/:splat 200']);
});
