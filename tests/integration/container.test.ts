import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { SETTINGS } from '../../sidecar/base/config.ts';
import { FINAL, reproduceImage } from '../support/dockerfile.ts';
import { filesOf, sampleEdition, TEST_BUILD } from '../support/edition.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { ROOT } from '../support/fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { Origin } from '../support/origin.ts';
import { initialize, MCP_HEADERS } from '../support/mcp.ts';
import { run } from '../support/run.ts';
import { startSidecar } from '../support/sidecar-process.ts';

const MAX_BYTES = 60 * 1024 * 1024;
/** Settings that are not in the table of settings. */
const OTHER_SETTINGS = new Set(['NODE_ENV']);

/** An answer of each part of the program: files, search, pages, MCP and the hub. */
const COMPUTED: [path: string, init: RequestInit, answer: RegExp][] = [
  ['/summary.json', {}, /"review_count":/],
  ['/api/reviews/search?query=water&limit=1', {}, /"text":"[^"]*water/i],
  ['/search/?query=water', {}, /<mark>water/i],
  [
    '/mcp',
    { method: 'POST', headers: MCP_HEADERS, body: JSON.stringify(initialize()) },
    /"protocolVersion":"2025-06-18"/,
  ],
  ['/api/websub/hub', { method: 'POST', body: new URLSearchParams() }, /hub\.mode/],
];

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

const stages = await reproduceImage('sidecar/Dockerfile', { ...TEST_BUILD, ...FOREIGN });

test('the target build, without the owner’s tools, builds the same edition, byte by byte, from the same content in another environment', async () => {
  const { folder, command } = stages.get('build')!;
  assert.ok(!existsSync(join(folder, 'src/owner')));
  assert.deepEqual(command, ['node', 'src/build/main.ts', '/content', '--outDir', '/out/dist']);
  const dist = dirname(await sampleEdition());
  const [one, two] = [await filesOf(dist), await filesOf(join(folder, 'sample'))];
  assert.deepEqual([...two.keys()], [...one.keys()]);
  assert.ok(one.has('server/entry.mjs') && one.has('client/openapi.json.br'));
  // The image's node_modules is a link, and the server has names of files in it.
  const linked = `${relative(folder, ROOT)}/`;
  const asInstalled = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll(linked, '').replaceAll(ROOT, ''), 'latin1');
  for (const [file, bytes] of one) {
    const other = two.get(file)!;
    assert.ok(other.equals(bytes) || asInstalled(other).equals(bytes), `${file} differs`);
    for (const path of [dirname(dist), ROOT])
      assert.ok(!bytes.includes(path), `${file} names ${path}`);
  }
});

test('the image, made step by step, serves an edition by URL, with what it computes', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const image = stages.get(FINAL)!;
  assert.equal(image.user, 'node');
  const { stdout: bytes } = await run('du', ['--bytes', '--summarize', image.folder]);
  assert.ok(parseInt(bytes) < MAX_BYTES, 'too large');
  for (const left of ['astro', 'typescript', 'playwright', 'vite', 'node']) {
    assert.ok(!existsSync(join(image.folder, 'node_modules', left)), left);
  }
  for (const needed of ['dist/server/entry.mjs', 'LICENSE', 'node_modules/pg', 'sidecar/main.js']) {
    assert.ok(existsSync(join(image.folder, needed)), needed);
  }

  const origin = await Origin.start(context, source);
  const program = image.command.at(-1);
  const own = { EDITION: origin.url, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' };
  const { url, child, exited } = await startSidecar(
    { ...image.env, ...own, RATE_LIMIT: '0' },
    context,
    { folder: image.folder, program: program! },
  );
  const healthy = (port: string) =>
    promisify(execFile)(process.execPath, image.healthcheck.slice(1), {
      cwd: image.folder,
      env: { PORT: port },
    });
  const { port } = new URL(url);
  await eventually(async () => (await healthy(port).catch(() => undefined)) !== undefined);
  for (const [path, init, answer] of COMPUTED) {
    const response = await fetch(new URL(path, url), init);
    assert.match(await response.text(), answer, path);
  }
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
  await assert.rejects(healthy(port));
});

test('compose.yaml names settings and files that exist', () => {
  const folder = join(ROOT, 'sidecar/deploy');
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
  const { services, volumes, networks } = parse(text, { merge: true });
  const sidecars = [services['sidecar-1'], services['sidecar-2']];
  assert.equal(sidecars.length, 2);
  for (const { build, environment } of sidecars) {
    assert.ok(existsSync(join(folder, build.context, build.dockerfile)));
    for (const name of Object.keys(environment)) {
      assert.ok(name in SETTINGS || OTHER_SETTINGS.has(name), name);
    }
  }
  const dataFolders = sidecars.map((service) =>
    service.volumes.find((volume: string) => volume.endsWith(':/data')),
  );
  assert.equal(new Set(dataFolders).size, 2, 'each has a DATA_DIR of its own');
  for (const service of Object.values<{ networks: string[]; volumes: string[] }>(services)) {
    for (const network of service.networks) assert.ok(network in networks, network);
    for (const volume of service.volumes) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) assert.ok(existsSync(join(folder, source)), source);
      else if (!source.startsWith('/')) assert.ok(source in volumes, source);
    }
  }
  const caddyfile = readFileSync(join(folder, 'Caddyfile'), 'utf8');
  for (const name of Object.keys(services.caddy.environment)) {
    assert.ok(caddyfile.includes(`{$${name}`), name);
  }
});

const systemd = {
  skip: spawnSync('systemd-analyze', ['--version']).error && 'systemd is not installed',
};

test('the systemd unit is well-formed and shuts nearly everything', systemd, () => {
  const unit = join(ROOT, 'sidecar/deploy/reviews-sidecar.service');
  const args = ['security', '--offline=true', '--threshold=20', unit];
  const security = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  assert.equal(security.status, 0, security.stdout.slice(-200) + security.stderr);
  const text = readFileSync(unit, 'utf8');
  const names = Array.from(text.matchAll(/^Environment=(\w+)=/gm), ([, name]) => name!);
  assert.ok(names.length > 0);
  for (const name of names) assert.ok(name in SETTINGS || OTHER_SETTINGS.has(name), name);
  const [, program] = /^ExecStart=\/opt\/reviews\/node_modules\/.bin\/node .*?(\S+)$/m.exec(text)!;
  assert.ok(existsSync(join(ROOT, program!)));
});
