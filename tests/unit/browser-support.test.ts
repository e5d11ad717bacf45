import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lackedInSources } from '../support/browser-support.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';

// What ships needs nothing that the oldest browsers of the site (src/build/bundle.ts) lack.

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
  const lacked = lackedInSources([planted, ...PROGRAMS.map((path) => join(ROOT, path))]);
  assert.deepEqual(
    lacked.map((each) => each.replace(/^.*planted/, 'planted')),
    [
      'planted.ts:2: ReadableStream.@@asyncIterator is not in chrome, safari, safari_ios',
      'planted.ts:3: MapIterator.map is not in firefox, safari, safari_ios',
    ],
  );
});
