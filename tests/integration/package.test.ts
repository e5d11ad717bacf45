import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { packProgram } from '../../src/bin/pack.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

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

const command = async (...args: string[]) => {
  const env = { ...process.env, NODE_OPTIONS: '', HUB_URL: 'http://127.0.0.1:9/' };
  const bin = join(program, 'src/bin/reviews-service.js');
  const { stdout, stderr } = await run(process.execPath, [bin, ...args], { cwd: folder, env });
  return stdout + stderr;
};

test('a dataset is made, imported and built in an empty folder', async () => {
  const started = await command('new', '--name', 'Café Aroma', '--category', 'restaurant');
  assert.match(started, /Next: npx reviews-service import FILE, then npx reviews-service start/);
  const takeout = join(ROOT, 'tests/fixtures/import/takeout-reviews.json');
  assert.match(await command('import', takeout), /4 added/);
  assert.match(await command('check'), /4 reviews, no issues/);
  assert.match(await command('build', '--strict'), /files, \d+ s: edition [\da-f]{16}/);
  assert.match(await readFile(join(folder, 'dist/client/index.html'), 'utf8'), /Café Aroma/);
  assert.deepEqual((await readdir(folder)).filter((name) => !name.endsWith('.tgz')).sort(), [
    'content',
    'dist',
    'node_modules',
  ]);
});

test('it explains itself, and refuses what it does not know', async () => {
  assert.match(await command('--help'), /^usage: npx reviews-service COMMAND\n/);
  await assert.rejects(command('frobnicate'), /usage: one of/);
});

test('the package depends on every package that its files import', async () => {
  const { dependencies } = JSON.parse(await readFile(join(program, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const known = new Set([...Object.keys(dependencies), ...builtinModules]);
  const missing = new Set<string>();
  for (const file of globSync('{src,sidecar}/**/*.{ts,js,mjs,astro}', { cwd: program })) {
    const text = await readFile(join(program, file), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;]*? from '([@a-z][^':]*)';$/gm)) {
      const [scope, rest] = name!.split('/');
      const packageName = name!.startsWith('@') ? `${scope}/${rest}` : scope!;
      if (!known.has(packageName)) missing.add(`${packageName} in ${file}`);
    }
  }
  assert.deepEqual([...missing], []);
  assert.ok(!('playwright' in dependencies), 'the tests are not in the package');
});
