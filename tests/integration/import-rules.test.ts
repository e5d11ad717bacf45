import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

// The linter enforces the table "Who may import whom" of src/README.md. Every pair of rows is
// planted, allowed or not, and all of them are linted in one run.

const RESTRICTED = 'eslint(no-restricted-imports)';
const CYCLE = 'import(no-cycle)';

/** Maps each row of the table to the rows it may import, besides its own files and packages. */
const allowed = new Map<string, Set<string>>();

const [, section] = (await readFile(join(ROOT, 'src/README.md'), 'utf8')).split(
  '## Who may import whom',
);
for (const [, from, to] of section!.matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm)) {
  allowed.set(from!, new Set([...to!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));
}

/** Lints a project of these files, and returns which rule each of them breaks. */
async function lint(context: TestContext, files: ReadonlyMap<string, string>): Promise<string[]> {
  const root = await temporaryFolder(context);
  await cp(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  for (const [path, source] of files) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, source);
  }
  const report = await new Promise<string>((resolve, reject) => {
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    const options = { cwd: root, maxBuffer: 2 ** 26 };
    // It exits with 1 when it finds something; without output it did not run.
    execFile(oxlint, ['--format', 'json'], options, (error, stdout) =>
      stdout === '' ? reject(error!) : resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { code: string; filename: string }[];
  };
  return diagnostics.map(({ code, filename }) => `${filename}: ${code}`).sort();
}

const importing = (specifier: string) =>
  `import * as other from '${specifier}';\n\nexport const value = other;\n`;

const importingTypes = (specifier: string) =>
  `import type * as other from '${specifier}';\n\nexport type Value = typeof other;\n`;

const isFile = (name: string) => name.endsWith('.ts');
/** The file that others import when they import this row of the table. */
const targetOf = (row: string) => (isFile(row) ? row : `${row}/target.ts`);
/** Files below these are not of the row but of a row of their own. */
const isInside = (row: string, other: string) => row.startsWith(`${other}/`);

/** A folder may be imported with the folders in it. */
const mayImport = (from: string, to: string) =>
  [...allowed.get(from)!].some((row) => row === to || isInside(to, row));

test('every pair of folders is refused or allowed as the table of src/README.md says', async (context) => {
  const rows = [...allowed.keys()];
  assert.ok(rows.length > 20);
  const files = new Map(rows.map((row) => [targetOf(row), 'export const value = 1;\n']));
  const expected: string[] = [];
  for (const from of rows.filter((row) => !isFile(row))) {
    for (const to of rows.filter((row) => row !== from && !isInside(from, row))) {
      const name = `to-${to.replaceAll(/[/.]/g, '-')}.ts`;
      // A folder of the sidecar may have folders of its own; so may any other.
      for (const path of [`${from}/${name}`, `${from}/deeper/${name}`]) {
        if (isInside(to, from) || (from === 'sidecar' && to.startsWith('sidecar/'))) continue;
        files.set(path, importing(relative(dirname(path), targetOf(to))));
        if (!mayImport(from, to)) expected.push(`${path}: ${RESTRICTED}`);
      }
    }
  }
  assert.deepEqual(await lint(context, files), expected.sort());
});

test('the table has no cycle', () => {
  const done = new Set<string>();
  const visit = (row: string, path: readonly string[]): void => {
    assert.ok(!path.includes(row), [...path, row].join(' → '));
    if (done.has(row)) return;
    for (const next of allowed.get(row) ?? []) visit(next, [...path, row]);
    done.add(row);
  };
  for (const row of allowed.keys()) visit(row, []);
});

test('pure folders get no I/O, no clock, no randomness and no detour', async (context) => {
  const pure = ['schema', 'dataset', 'search', 'insights', 'resources', 'edition', 'view'];
  const breaches: Record<string, [source: string, rule: string]> = {
    'files.ts': [importing('node:fs/promises'), RESTRICTED],
    'process.ts': [importing('node:child_process'), RESTRICTED],
    'net.ts': [importing('node:net'), RESTRICTED],
    'http.ts': [importing('node:http'), RESTRICTED],
    'types.ts': [importingTypes('node:fs'), RESTRICTED],
    'astro.ts': [importing('astro:content'), RESTRICTED],
    'detour.ts': [importing('../schema/../content/target.ts'), RESTRICTED],
    'clock.ts': ['export const value = Date.now();\n', 'eslint(no-restricted-properties)'],
    'random.ts': ['export const value = Math.random();\n', 'eslint(no-restricted-properties)'],
    'fetch.ts': ["export const value = fetch('x:');\n", 'eslint(no-restricted-globals)'],
  };
  const files = new Map([['src/content/target.ts', 'export const value = 1;\n']]);
  const expected: string[] = [];
  for (const folder of pure) {
    for (const [name, [source, rule]] of Object.entries(breaches)) {
      const path = `src/${folder}/breach-${name}`;
      files.set(path, source);
      expected.push(`${path}: ${rule}`);
    }
  }
  assert.deepEqual(await lint(context, files), expected.sort());
});

test('in the sidecar, only the code for callbacks and for editions connects by https', async (context) => {
  const folders = [
    '',
    '/base',
    '/store',
    '/http',
    '/pages',
    '/mcp',
    '/metrics',
    '/hub',
    '/commands',
  ];
  const files = new Map<string, string>();
  const expected: string[] = [];
  for (const folder of folders) {
    for (const [name, specifier] of Object.entries({
      https: 'node:https',
      dns: 'node:dns/promises',
      undici: 'undici',
    })) {
      const path = `sidecar${folder}/breach-${name}.ts`;
      files.set(path, importing(specifier));
      expected.push(`${path}: ${RESTRICTED}`);
    }
  }
  files.set('sidecar/hub/outbound/undici.ts', importing('undici'));
  files.set('sidecar/edition/https.ts', importing('node:https'));
  assert.deepEqual(await lint(context, files), expected.sort());
});

test('a new folder may import nothing until it is in the table', async (context) => {
  const files = new Map([['src/schema/target.ts', 'export const value = 1;\n']]);
  files.set('src/new/planted.ts', importing('../schema/target.ts'));
  files.set('src/deep/new/planted.ts', importing('../../schema/target.ts'));
  assert.deepEqual(await lint(context, files), [
    `src/deep/new/planted.ts: ${RESTRICTED}`,
    `src/new/planted.ts: ${RESTRICTED}`,
  ]);
});

test('a cycle is refused at each of its files, of types too', async (context) => {
  const files = new Map([
    ['src/dataset/one.ts', importing('./two.ts')],
    ['src/dataset/two.ts', importing('./three.ts')],
    ['src/dataset/three.ts', importing('./one.ts')],
    ['src/schema/a.ts', importingTypes('./b.ts')],
    ['src/schema/b.ts', importingTypes('./a.ts')],
  ]);
  assert.deepEqual(
    await lint(context, files),
    [...files.keys()].map((path) => `${path}: ${CYCLE}`).sort(),
  );
});
