import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { buildEdition, ROOT } from './support/edition.ts';

/** A test that hangs fails by name; far above what the slowest needs on a busy machine. */
const TEST_MS = 4 * 60_000;
const RUN_MS = 30 * 60_000;
const ALL = 'tests/{unit,spec,browser}/**/*.test.ts';

// Builds the sample edition once, then runs all tests, or the named files, against it.
const folder = await mkdtemp(join(tmpdir(), 'reviews-tests-'));
try {
  console.log('building the sample edition …');
  const { client } = await buildEdition(join(folder, 'dist'));
  process.env.TEST_EDITION = client;
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : globSync(ALL, { cwd: ROOT }).sort();
  const { passed, failed } = await runTests(files);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runTests(files: string[]): Promise<{ passed: number; failed: number }> {
  const totals = { passed: 0, failed: 0 };
  const results = run({
    files: files.map((file) => join(ROOT, file)),
    // `true` would leave one core idle, which is half of a machine with two.
    concurrency: availableParallelism(),
    timeout: TEST_MS,
    signal: AbortSignal.timeout(RUN_MS), // ends a file that left something open
  });
  results.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return; // each file has its own summary; the last one covers all
    totals.passed = counts.passed;
    totals.failed = counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  for await (const line of results.compose(spec)) process.stdout.write(line as Buffer);
  return totals;
}
