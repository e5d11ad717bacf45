import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keptBytes } from '../../src/build/kept-bytes.ts';

const folder = await mkdtemp(join(tmpdir(), 'reviews-kept-'));
after(() => rm(folder, { recursive: true }));

/** Returns what is kept, and whether it was made anew. */
async function ask(inputs: string[], into = folder) {
  let isMade = false;
  const make = async () => {
    isMade = true;
    return Buffer.from(`made of ${inputs.join(', ')}`);
  };
  const bytes = await keptBytes('picture.png', inputs, make, into);
  return { text: Buffer.from(bytes).toString(), isMade };
}

test('a build makes only what other inputs make, and keeps the last', async () => {
  assert.deepEqual(await ask(['ab', 'c']), { text: 'made of ab, c', isMade: true });
  assert.deepEqual(await ask(['ab', 'c']), { text: 'made of ab, c', isMade: false });
  assert.deepEqual(await ask(['a', 'bc']), { text: 'made of a, bc', isMade: true });
  assert.deepEqual(await ask(['ab', 'c']), { text: 'made of ab, c', isMade: true });
});

test('a build makes all where it cannot keep anything', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const _ of [1, 2]) assert.equal((await ask(['a'], file)).isMade, true);
});
