import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lackedInSources, lackedInStyles } from '../support/browser-support.ts';
import { sampleEdition } from '../support/edition.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

// What ships needs nothing that the oldest browsers of the site (src/build/bundle.ts) lack.

const client = await sampleEdition();

const PROGRAMS = [
  'public/*.js',
  'src/browser/*.{js,ts}',
  'src/browser/*/*.ts',
  'src/layouts/*.js',
].flatMap((pattern) => globSync(pattern, { cwd: ROOT }));

test('the programs of the pages use only what every browser of the site has', async (context) => {
  const planted = join(await temporaryFolder(context), 'planted.ts');
  await writeFile(
    planted,
    `export async function read(response: Response): Promise<number> {
  for await (const piece of response.body!) if (piece.length > 0) return piece.length;
  return new Map([[1, 2]]).values().map((each) => each + 1).next().value ?? 0;
}
`,
  );
  // With the packages in them, whose sources have no types here.
  const bundles = globSync('_astro/*.js', { cwd: client }).map((path) => join(client, path));
  assert.ok(bundles.length > 1);
  const sources = PROGRAMS.map((path) => join(ROOT, path));
  const lacked = lackedInSources([planted, ...sources, ...bundles]);
  assert.deepEqual(
    lacked
      .map((each) => each.replace(/^.*planted/, 'planted').replace(/^.*_astro.*?:\d+/, 'bundle'))
      .sort(),
    [
      // Used by @noble/hashes after a look whether it is there.
      'bundle: Uint8Array.fromHex is not in chrome, firefox, safari, safari_ios',
      'bundle: Uint8Array.toHex is not in chrome, firefox, safari, safari_ios',
      'planted.ts:2: ReadableStream.@@asyncIterator is not in chrome, safari, safari_ios',
      'planted.ts:3: MapIterator.map is not in firefox, safari, safari_ios',
    ],
  );
});

test('the styles that ship use what every browser of the site has, or what it can do without', async () => {
  const planted =
    '@starting-style{a{color:red}}@media (width<9rem){a:has(b):open{interpolate-size:auto;top:anchor(x)}}';
  assert.deepEqual(lackedInStyles(planted), [
    ':open is not in chrome, firefox, safari, safari_ios',
    '@starting-style is not in firefox',
    'anchor() is not in chrome, firefox, safari, safari_ios',
    'interpolate-size is not in chrome, firefox, safari, safari_ios',
  ]);
  const styles = globSync('**/*.css', { cwd: client });
  assert.ok(styles.length > 3);
  const all = await Promise.all(styles.map((path) => readFile(join(client, path), 'utf8')));
  assert.deepEqual(lackedInStyles(all.join('\n')), [
    // Without these a details element stays closed on paper, and colors and breaks are the browser's.
    ':details-content is not in chrome, firefox, safari, safari_ios',
    '@page is not in safari, safari_ios',
    'break-after: avoid is not in firefox, safari, safari_ios',
    'content-visibility is not in safari, safari_ios',
    'content-visibility: visible is not in safari, safari_ios',
    'cursor: pointer is not in safari_ios',
    'forced-color-adjust is not in safari, safari_ios',
    'forced-color-adjust: none is not in safari, safari_ios',
    'print-color-adjust is not in chrome',
    'print-color-adjust: exact is not in chrome',
    'text-size-adjust is not in firefox, safari, safari_ios',
    'text-wrap: pretty is not in firefox, safari, safari_ios',
  ]);
});
