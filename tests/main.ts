import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEdition, ROOT } from './support/edition.ts';

// Builds the sample edition once, then runs every test against it.
const folder = await mkdtemp(join(tmpdir(), 'reviews-tests-'));
try {
  console.log('building the sample edition …');
  const { client } = await buildEdition(join(folder, 'dist'));
  const only = process.argv.slice(2);
  process.exitCode = await runTests(client, only);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function runTests(edition: string, only: readonly string[]): Promise<number> {
  const files = only.length > 0 ? only : ['tests/{unit,spec,browser}/**/*.test.ts'];
  const child = spawn(process.execPath, ['--test', ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_EDITION: edition },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
