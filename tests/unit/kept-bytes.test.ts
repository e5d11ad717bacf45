import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { keptBytes } from '../../src/build/kept-bytes.ts';
import { temporaryFolder } from '../support/fixtures.ts';

/** Returns what is kept, and whether it was made anew. */
async function ask(folder: string, ...inputs: string[]) {
  let isMade = false;
  const make = async () => {
    isMade = true;
    return Buffer.from(`made of ${inputs.join(', ')}`);
  };
  const bytes = await keptBytes('picture.png', inputs, make, folder);
  return { text: Buffer.from(bytes).toString(), isMade };
}

test('a build makes only what other inputs make, and keeps the last', async (context) => {
  const folder = await temporaryFolder(context);
  assert.deepEqual(await ask(folder, 'ab', 'c'), { text: 'made of ab, c', isMade: true });
  assert.deepEqual(await ask(folder, 'ab', 'c'), { text: 'made of ab, c', isMade: false });
  assert.deepEqual(await ask(folder, 'a', 'bc'), { text: 'made of a, bc', isMade: true });
  assert.deepEqual(await ask(folder, 'ab', 'c'), { text: 'made of ab, c', isMade: true });
});

test('a build makes all where it cannot keep anything', async (context) => {
  const file = join(await temporaryFolder(context), 'file');
  await writeFile(file, '');
  for (const _ of [1, 2]) assert.equal((await ask(file, 'a')).isMade, true);
});
