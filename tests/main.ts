import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { buildEdition } from './support/edition.ts';
import { ROOT } from './support/fixtures.ts';

/** A test that hangs fails by name; far above what the slowest needs on a busy machine. */
const TEST_MS = 10 * 60_000;
const RUN_MS = 75 * 60_000;
/** They begin first, or the last of them would run alone. */
const LONGEST = [
  'tests/integration/attack.test.ts',
  'tests/integration/hub-crash.test.ts',
  'tests/integration/front-servers.test.ts',
  'tests/browser/pages.test.ts',
  'tests/integration/hub-process.test.ts',
  'tests/integration/container.test.ts',
  'tests/integration/sidecar-process.test.ts',
  'tests/integration/build.test.ts',
];
/** Their files share a process for each core: starting one for each file takes as long as the tests. */
const SHARED = ['tests/unit/', 'tests/spec/'];
const ALL = 'tests/{unit,integration,spec,browser}/**/*.test.ts';

// Runs every test, or the files and patterns named. All but unit tests read the test edition, which
// is built once before.
const named = process.argv.slice(2);
const found = globSync(named.length > 0 ? named : ALL, { cwd: ROOT }).sort();
const folder = await mkdtemp(join(tmpdir(), 'reviews-tests-'));
// Every test file, build and sidecar is a process that loads the same modules.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
try {
  if (found.some((file) => !file.startsWith('tests/unit/'))) {
    console.log('building the test edition …');
    const { client } = await buildEdition(join(folder, 'dist'));
    process.env.TEST_EDITION = client;
  }
  const { passed, failed } = await runTests(await processesFor(found));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Returns a file for each process: one that imports those that share it, or the test file. */
async function processesFor(found: string[]): Promise<string[]> {
  const isShared = (file: string) => SHARED.some((prefix) => file.startsWith(prefix));
  const [shared, own] = [found.filter(isShared), found.filter((file) => !isShared(file))];
  const cores = Math.min(availableParallelism(), shared.length);
  const shares: string[] = [];
  for (let core = 0; core < cores; core++) {
    const share = shared.filter((_, index) => index % cores === core);
    const imports = share.map((file) => `import '${pathToFileURL(join(ROOT, file)).href}';\n`);
    shares.push(join(folder, `share-${core}.mjs`));
    await writeFile(shares[core]!, imports.join(''));
  }
  const files = [
    ...LONGEST.filter((file) => own.includes(file)),
    ...own.filter((file) => !LONGEST.includes(file)),
  ].map((file) => join(ROOT, file));
  return files.toSpliced(LONGEST.length, 0, ...shares);
}

async function runTests(files: string[]): Promise<{ passed: number; failed: number }> {
  const totals = { passed: 0, failed: 0 };
  const results = run({
    files,
    // More than there are cores: a test that waits, for a killed process say, uses none.
    concurrency: availableParallelism() + 2,
    timeout: TEST_MS,
    signal: AbortSignal.timeout(RUN_MS), // ends a file that was left with something open
  });
  results.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return; // each file has its own summary, the last one has them all
    totals.passed = counts.passed;
    totals.failed = counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  for await (const line of results.compose(spec)) process.stdout.write(line as Buffer);
  return totals;
}
