import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProgressBar } from '../../src/commands/progress-bar.ts';
import { temporaryFolder } from '../support/fixtures.ts';

test('shows how far a file is read, not too often, and clears its line', async (context) => {
  const file = join(await temporaryFolder(context), 'a.csv');
  await writeFile(file, 'x'.repeat(1000));
  let now = 0;
  let written = '';
  const bar = new ProgressBar({ isTTY: true, write: (text) => (written += text) }, () => now);
  bar.show({ file, bytes: 100, rows: 3 });
  bar.show({ file, bytes: 200, rows: 6 });
  now = 150;
  bar.show({ file, bytes: 500, rows: 14 });
  now = 300;
  bar.show({ file, bytes: 2000, rows: 30 });
  bar.clear();
  assert.deepEqual(written.split('\r').slice(1), [
    `[###${'.'.repeat(27)}] 10% 3 rows`,
    `[${'#'.repeat(15)}${'.'.repeat(15)}] 50% 14 rows`,
    `[${'#'.repeat(30)}] 100% 30 rows`,
    '\u001b[K',
  ]);
});

test('writes nothing where there is no terminal', () => {
  const bar = new ProgressBar({ write: () => assert.fail('wrote') });
  bar.show({ file: 'a.csv', bytes: 1, rows: 1 });
  bar.clear();
});
