import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

// The linter reads the order of the rooms from src/README.md. Every pair of rooms is planted,
// allowed or not, and all of them are linted in one run.

const RESTRICTED = 'eslint(no-restricted-imports)';
const CYCLE = 'import(no-cycle)';

/** Maps each room to the rooms it may import, besides its own files and packages. */
const allowed = new Map<string, Set<string>>();

const readme = await readFile(join(ROOT, 'src/README.md'), 'utf8');
const [, order] = readme.split('```rooms\n');
for (const line of order!.split('```')[0]!.split(/\n(?=\w)/)) {
  const [top, ...words] = line.trim().split(/\s+/);
  const left = new Set<string>();
  for (const rank of words.join(' ').split(' < ')) {
    const rooms = rank.split(' ').map((name) => {
      if (name === '.') return top!;
      return name.startsWith('src/') ? name : `${top}/${name}`;
    });
    for (const room of rooms.filter((room) => room.startsWith(top!))) {
      allowed.set(room, new Set(left));
    }
    for (const room of rooms) left.add(room);
  }
}
allowed.set('sidecar/hub/outbound', new Set());

/** Lints a project of these files, and returns which rule each of them breaks. */
async function lint(context: TestContext, files: ReadonlyMap<string, string>): Promise<string[]> {
  const root = await temporaryFolder(context);
  for (const path of ['oxlint.config.ts', 'src/README.md']) {
    await cp(join(ROOT, path), join(root, path), { recursive: true });
  }
  for (const [path, source] of files) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, source);
  }
  const report = await new Promise<string>((resolve, reject) => {
    const args = [join(ROOT, 'node_modules/.bin/oxlint'), '--format', 'json'];
    const options = { cwd: root, maxBuffer: 2 ** 26 };
    // It exits with 1 when it finds something; without output it did not run.
    execFile(process.execPath, args, options, (error, stdout) =>
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
/** The file that others import when they import this room. */
const targetOf = (room: string) => (isFile(room) ? room : `${room}/target.ts`);

test('a room may import what is to its left in src/README.md, and nothing else', async (context) => {
  const rooms = [...allowed.keys()];
  assert.ok(rooms.length > 30);
  const files = new Map(rooms.map((room) => [targetOf(room), 'export const value = 1;\n']));
  const expected: string[] = [];
  for (const from of rooms.filter((room) => !isFile(room))) {
    for (const to of rooms.filter((room) => !`${room}/`.startsWith(`${from}/`))) {
      const name = `to-${to.replaceAll(/[/.]/g, '-')}.ts`;
      // A room may have folders; those of the sidecar itself are rooms.
      for (const path of [`${from}/${name}`, `${from}/deeper/${name}`]) {
        files.set(path, importing(relative(dirname(path), targetOf(to))));
        if (!allowed.get(from)!.has(to)) expected.push(`${path}: ${RESTRICTED}`);
      }
    }
  }
  assert.deepEqual(await lint(context, files), expected.sort());
});

test('pure folders get no I/O, no clock, no randomness and no detour', async (context) => {
  const ofDocuments = ['resources', 'edition', 'view'];
  const pure = ['schema', 'dataset', 'journal', 'search', 'insights/analyze', ...ofDocuments];
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
