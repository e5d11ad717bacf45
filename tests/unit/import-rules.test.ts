import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT, temporaryFolder } from '../support/edition.ts';

/** Modules that others import; each a tree of the project in small. */
const MODULES = [
  [
    'src/schema/review.ts',
    'src/content/reader.ts',
    'src/dataset/order.ts',
    'src/build/publication.ts',
  ],
  [
    'src/insights/aggregate/insights.ts',
    'src/formats/atom.ts',
    'src/edition/etag.ts',
    'sidecar/app.ts',
  ],
  ['src/build/integration.ts', 'sidecar/hub/hub.ts', 'sidecar/mcp/mcp.ts'],
].flat();

/** What the linter says of the small project with these files in it. */
async function lint(context: TestContext, files: Record<string, string>): Promise<string[]> {
  const root = await temporaryFolder(context);
  await copyFile(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  const modules = Object.fromEntries(MODULES.map((path) => [path, 'export const value = 1;\n']));
  for (const [path, source] of Object.entries({ ...modules, ...files })) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, source);
  }
  const report = await new Promise<string>((resolve) => {
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    execFile(oxlint, ['--format', 'json'], { cwd: root }, (_, stdout) => resolve(stdout));
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

const RESTRICTED = 'eslint(no-restricted-imports)';
const CYCLE = 'import(no-cycle)';

const FORBIDDEN: [from: string, specifier: string][] = [
  ['src/schema/planted.ts', 'node:fs'],
  ['src/schema/planted.ts', '../dataset/order.ts'],
  ['src/schema/planted.ts', 'astro:content'],
  ['src/dataset/planted.ts', '../content/reader.ts'],
  ['src/search/planted.ts', '../content/reader.ts'],
  ['src/dataset/planted.ts', '../edition/etag.ts'],
  ['src/dataset/planted.ts', '../build/publication.ts'],
  ['src/dataset/planted.ts', 'node:crypto'],
  ['src/dataset/planted.ts', '../../sidecar/app.ts'],
  ['src/content/planted.ts', '../dataset/order.ts'],
  ['src/content/planted.ts', '../insights/aggregate/insights.ts'],
  ['src/import/planted.ts', '../content/reader.ts'],
  ['src/insights/planted.ts', '../content/reader.ts'],
  ['src/insights/planted.ts', 'node:fs/promises'],
  ['src/formats/planted.ts', '../content/reader.ts'],
  ['src/formats/planted.ts', '../insights/aggregate/insights.ts'],
  ['src/edition/planted.ts', '../build/integration.ts'],
  ['src/edition/planted.ts', 'node:http'],
  ['src/view/planted.ts', '../content/reader.ts'],
  ['src/view/planted.ts', '../build/publication.ts'],
  ['src/view/planted.ts', 'node:fs'],
  ['sidecar/planted.ts', '../src/content/reader.ts'],
  ['sidecar/http/planted.ts', '../../src/insights/aggregate/insights.ts'],
  ['sidecar/planted.ts', '../src/build/publication.ts'],
  ['sidecar/planted.ts', '../src/formats/atom.ts'],
  ['sidecar/planted.ts', 'astro'],
  ['sidecar/hub/planted.ts', '../mcp/mcp.ts'],
  ['sidecar/hub/planted.ts', '../../src/content/reader.ts'],
  ['sidecar/mcp/planted.ts', '../hub/hub.ts'],
  ['sidecar/mcp/tools/planted.ts', '../../hub/hub.ts'],
  ['sidecar/mcp/planted.ts', '../../src/build/integration.ts'],
  ['sidecar/planted.ts', 'node:https'],
  ['sidecar/hub/planted.ts', 'node:https'],
  ['sidecar/hub/planted.ts', 'node:dns/promises'],
  ['sidecar/mcp/planted.ts', 'node:dns'],
  ['sidecar/hub/outbound/planted.ts', '../hub.ts'],
];

for (const [from, specifier] of FORBIDDEN) {
  test(`refuses ${specifier} in ${from}`, async (context) => {
    const found = await lint(context, { [from]: importing(specifier) });
    assert.deepEqual(found, [`${from}: ${RESTRICTED}`]);
  });
}

test('refuses a circle, at each of its files', async (context) => {
  const found = await lint(context, {
    'src/dataset/one.ts': importing('./two.ts'),
    'src/dataset/two.ts': importing('./three.ts'),
    'src/dataset/three.ts': importing('./one.ts'),
  });
  assert.deepEqual(
    found,
    ['one', 'three', 'two'].map((name) => `src/dataset/${name}.ts: ${CYCLE}`),
  );
});

test('refuses a circle of types alone', async (context) => {
  const found = await lint(context, {
    'src/schema/a.ts': importingTypes('./b.ts'),
    'src/schema/b.ts': importingTypes('./a.ts'),
  });
  assert.deepEqual(found, [`src/schema/a.ts: ${CYCLE}`, `src/schema/b.ts: ${CYCLE}`]);
});

test('refuses a forbidden import of types alone', async (context) => {
  const from = 'sidecar/planted.ts';
  const found = await lint(context, { [from]: importingTypes('../src/content/reader.ts') });
  assert.deepEqual(found, [`${from}: ${RESTRICTED}`]);
});

const ALLOWED: Record<string, string> = {
  'src/schema/planted.ts': './review.ts',
  'src/content/planted.ts': '../schema/review.ts',
  'src/search/planted.ts': '../schema/review.ts',
  'src/search/deeper.ts': '../dataset/order.ts',
  'src/insights/planted.ts': '../dataset/order.ts',
  'src/formats/planted.ts': '../edition/etag.ts',
  'src/view/planted.ts': '../dataset/order.ts',
  'src/build/planted.ts': './publication.ts',
  'sidecar/planted.ts': '../src/dataset/order.ts',
  'sidecar/http/planted.ts': '../../src/edition/etag.ts',
  'sidecar/hub/planted.ts': '../../src/schema/review.ts',
  'sidecar/mcp/planted.ts': '../../src/dataset/order.ts',
  'sidecar/hub/outbound/planted.ts': 'node:https',
  'sidecar/hub/outbound/names.ts': 'node:dns/promises',
  'sidecar/main.ts': './hub/hub.ts',
};

test('passes the imports that the design allows', async (context) => {
  const files = Object.entries(ALLOWED).map(([from, specifier]) => [from, importing(specifier)]);
  assert.deepEqual(await lint(context, Object.fromEntries(files) as Record<string, string>), []);
});
