import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { folderOfProcess, ROOT } from '../support/fixtures.ts';

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

const files = new Map<string, string>();
const expected: string[] = [];

/** Adds a file, and the rule that it breaks. */
function plant(path: string, source: string, rule?: string): void {
  files.set(path, source);
  if (rule !== undefined) expected.push(`${path}: ${rule}`);
}

const importing = (specifier: string) =>
  `import * as other from '${specifier}';\n\nexport const value = other;\n`;

const importingTypes = (specifier: string) =>
  `import type * as other from '${specifier}';\n\nexport type Value = typeof other;\n`;

const isFile = (name: string) => name.endsWith('.ts');
/** The file that others import when they import this room. */
const targetOf = (room: string) => (isFile(room) ? room : `${room}/target.ts`);

const rooms = [...allowed.keys()];
for (const room of rooms) plant(targetOf(room), 'export const value = 1;\n');
for (const from of rooms.filter((room) => !isFile(room))) {
  for (const to of rooms.filter((room) => !`${room}/`.startsWith(`${from}/`))) {
    const name = `pair-${to.replaceAll(/[/.]/g, '-')}.ts`;
    // A room may have folders; those of the sidecar itself are rooms.
    for (const path of [`${from}/${name}`, `${from}/deeper/${name}`]) {
      const source = importing(relative(dirname(path), targetOf(to)));
      plant(path, source, allowed.get(from)!.has(to) ? undefined : RESTRICTED);
    }
  }
}

const BREACHES: Record<string, [source: string, rule: string]> = {
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
const PURE = 'schema dataset journal search insights/analyze resources edition view';
for (const folder of PURE.split(' ')) {
  for (const [name, [source, rule]] of Object.entries(BREACHES)) {
    plant(`src/${folder}/impure-${name}`, source, rule);
  }
}

const WITHOUT_OUTSIDE = ' /base /store /http /pages /mcp /metrics /hub /commands';
for (const folder of WITHOUT_OUTSIDE.split(' ')) {
  for (const specifier of ['node:https', 'node:dns/promises', 'undici']) {
    const name = specifier.replaceAll(/\W/g, '-');
    plant(`sidecar${folder}/outward-${name}.ts`, importing(specifier), RESTRICTED);
  }
}
plant('sidecar/hub/outbound/outward-undici.ts', importing('undici'));
plant('sidecar/edition/outward-https.ts', importing('node:https'));

plant('src/new/folder.ts', importing('../schema/target.ts'), RESTRICTED);
plant('src/deep/new/folder.ts', importing('../../schema/target.ts'), RESTRICTED);

plant('src/dataset/cycle-one.ts', importing('./cycle-two.ts'), CYCLE);
plant('src/dataset/cycle-two.ts', importing('./cycle-three.ts'), CYCLE);
plant('src/dataset/cycle-three.ts', importing('./cycle-one.ts'), CYCLE);
plant('src/schema/cycle-a.ts', importingTypes('./cycle-b.ts'), CYCLE);
plant('src/schema/cycle-b.ts', importingTypes('./cycle-a.ts'), CYCLE);

const found = await lint();

/** Lints the files as a project, and returns which rule each of them breaks. */
async function lint(): Promise<string[]> {
  const root = await folderOfProcess();
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

for (const [name, planted] of [
  ['a room may import what is to its left in src/README.md, and nothing else', /\/pair-/],
  ['pure folders get no I/O, no clock, no randomness and no detour', /\/impure-/],
  ['in the sidecar, only the code for callbacks and for editions connects by https', /\/outward-/],
  ['a new folder may import nothing until it is in the table', /\/new\/folder/],
  ['a cycle is refused at each of its files, of types too', /\/cycle-/],
  ['nothing else is refused', /\/target\.ts/],
] as const) {
  test(name, () => {
    const ofTest = (all: readonly string[]) => all.filter((each) => planted.test(each)).sort();
    assert.deepEqual(ofTest(found), ofTest(expected));
  });
}

test('every pair of rooms was planted', () => {
  assert.ok(rooms.length > 30);
  assert.ok(expected.filter((each) => each.includes('/pair-')).length > 500);
});
