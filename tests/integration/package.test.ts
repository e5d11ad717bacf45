import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { packProgram } from '../../src/bin/pack.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import { reviewsDataset } from '../../src/schema/dataset.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { MEANINGLESS, readPages, visibleText } from '../support/pages.ts';
import { jsonl, record } from '../support/reviews.ts';
import { htmlErrors } from '../support/validate-html.ts';

// The program as a package, in a folder that has nothing else. Its dependencies are those of the
// repository, because to install them takes longer than all these tests.

const run = promisify(execFile);
const folder = await temporaryFolder({ after });
const modules = join(folder, 'node_modules');
const program = join(modules, 'reviews-service');
await mkdir(program, { recursive: true });
await run('tar', ['xzf', packProgram(ROOT, folder), '--strip-components=1', '-C', program]);
for (const name of await readdir(join(ROOT, 'node_modules'))) {
  if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
}

const BIN = join(program, 'src/bin/reviews-service.js');
const ENV = { ...process.env, NODE_OPTIONS: '', HUB_URL: 'http://127.0.0.1:9/' };

const command = async (...args: string[]) => {
  const { stdout, stderr } = await run(process.execPath, [BIN, ...args], { cwd: folder, env: ENV });
  return stdout + stderr;
};

test('start builds the honest site of a business without a published review, serves it, and last prints the address', async (context) => {
  const started = await command('new', '--name', 'Fenwick Drains', '--category', 'drain cleaning');
  assert.match(started, /Next: npx --no reviews-service import FILE, then npx --no \S+ start/);
  await mkdir(join(folder, 'content/reviews'));
  const unverified = jsonl(record({ verified: false }));
  await writeFile(join(folder, 'content/reviews/2026.jsonl'), unverified);
  const port = String(await freePort());
  const settings = { PORT: port, HOST: '127.0.0.1', SITE_URL: '', EDITION: 'dist/client' };
  const child = spawn(process.execPath, [BIN, 'start'], {
    cwd: folder,
    env: { ...ENV, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  context.after(() => child.kill()); // it ends the sidecar, too, which has its output
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('Open ')) break;
  }
  assert.equal(lines.at(-1), `Open http://localhost:${port}`);
  assert.ok(lines.length <= 15, lines.join('\n'));

  const manifest = await (await fetch(`http://127.0.0.1:${port}/edition.json`)).json();
  assert.equal((manifest as Manifest).base_url, `http://localhost:${port}`);
  assert.equal((await fetch(`http://127.0.0.1:${port}/search/?query=a`)).status, 200);
  await assertHonest(join(folder, 'dist/client'));
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'the sidecar ended with it');
});

test('the scripts have the same bytes for any dataset and folder, and no path of this machine', async () => {
  const own = await scriptsOf(join(folder, 'dist/client'));
  const sample = await scriptsOf(await sampleEdition());
  assert.equal(own.size, 2, 'the script of the page that recomputes everything, and its worker');
  assert.deepEqual(own, sample);
  for (const [name, code] of own) assert.ok(!code.includes(folder), name);
});

/** Reads the bundled scripts of an edition, by name. */
async function scriptsOf(client: string): Promise<Map<string, string>> {
  const bundled = join(client, '_astro');
  const names = (await readdir(bundled)).filter((name) => name.endsWith('.js')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(bundled, name), 'utf8')));
  return new Map(names.map((name, at) => [name, texts[at]!]));
}

test('a dataset is imported and checked, and nothing is written beside it', async () => {
  const takeout = join(ROOT, 'tests/fixtures/import/takeout-reviews.json');
  assert.match(await command('import', takeout), /4 added/);
  assert.match(await command('check'), /5 reviews, no issues/);
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.tgz')).sort();
  assert.deepEqual(names, ['.data', 'content', 'dist', 'node_modules']);
});

test('it explains itself, and refuses what it does not know', async () => {
  assert.match(await command('--help'), /^usage: npx --no reviews-service COMMAND\n/);
  assert.match(await command('serve', '--help'), /PORT=8080 npx --no reviews-service serve\n$/);
  await assert.rejects(command('frobnicate'), /usage: one of/);
});

test('documents of the package link to files that it has', () => {
  const documents = globSync('{*,.github/*,content/*,{src,sidecar}/**/*}.md', { cwd: program });
  const links = documents.flatMap((path) => {
    const text = readFileSync(join(program, path), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    return targets.map(([, target]) => join(dirname(path), target!));
  });
  assert.ok(links.length > 20);
  const broken = links.filter((target) => !existsSync(join(program, target)));
  assert.deepEqual(broken, []);
});

test('the package depends on every package that its files import', async () => {
  const { dependencies } = JSON.parse(await readFile(join(program, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const known = new Set([...Object.keys(dependencies), ...builtinModules]);
  const imported = new Set<string>();
  const missing = new Set<string>();
  for (const file of globSync('{src,sidecar}/**/*.{ts,js,mjs,astro}', { cwd: program })) {
    const text = await readFile(join(program, file), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;]*? from '([@a-z][^':]*)';$/gm)) {
      const [scope, rest] = name!.split('/');
      const packageName = name!.startsWith('@') ? `${scope}/${rest}` : scope!;
      imported.add(packageName);
      if (!known.has(packageName)) missing.add(`${packageName} in ${file}`);
    }
  }
  assert.deepEqual([...missing], []);
  assert.ok(imported.size > 10, [...imported].join());
  for (const name of Object.keys(dependencies))
    assert.doesNotMatch(name, /^(playwright|typescript)/);
});

/** Asserts that every page says that there are no reviews, and counts nothing. */
async function assertHonest(client: string): Promise<void> {
  const { coverage, reviews } = reviewsDataset.parse(await readDataset(client));
  assert.deepEqual(reviews, []);
  assert.deepEqual([coverage.known, coverage.published], [1, 0]);
  const all = await readPages(client);
  // /developers/ shows JSON, in which null is valid.
  const forPeople = all.filter(({ path }) => !path.startsWith('/developers/'));
  for (const { html, path } of forPeople) assert.deepEqual(await htmlErrors(html), [], path);
  const pages = Object.fromEntries(forPeople.map(({ path, html }) => [path, visibleText(html)]));
  const expected = '/ /404.html /faq/ /insights/ /method/ /method/check/ /policy/ /reviews/';
  assert.equal(Object.keys(pages).sort().join(' '), expected);
  assert.match(pages['/']!, /No reviews yet\./);
  assert.match(pages['/']!, /0 of 1 known reviews published; 1 left out : unverified/);
  assert.match(pages['/reviews/']!, /No reviews yet\./);
  assert.match(pages['/insights/']!, /there is nothing to count/);
  assert.match(pages['/faq/']!, /There are no questions here yet\./);
  for (const [path, text] of Object.entries(pages)) {
    assert.doesNotMatch(text, MEANINGLESS, path);
    assert.match(text, /^.{0,60}Fenwick Drains Reviews Developers /, path);
  }
}
