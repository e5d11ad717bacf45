import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { buildEdition } from './support/edition.ts';
import { ROOT } from './support/fixtures.ts';

/** A test that hangs fails by name; far above what one needs that is not SLOW. */
const TEST_MS = 2 * 60_000;
const RUN_MS = 75 * 60_000;
/** More than there are cores: a test that waits, for a killed process say, uses none. */
const AT_ONCE = availableParallelism() + 1;
/** Few, because each loads the program and opens the sample edition anew. */
const SHARES = AT_ONCE;
/**
 * They wait most, for processes that they end or for answers that never come: they begin first, beside
 * what computes. Those that use one server of a database share a process.
 */
const WAITING = [
  [
    'tests/attack/fuzz.test.ts',
    'tests/attack/greedy-clients.test.ts',
    'tests/attack/lying-origin.test.ts',
    'tests/attack/raw-requests.test.ts',
  ],
  [
    'tests/attack/memory.test.ts',
    'tests/attack/verify-bounds.test.ts',
    'tests/integration/hub-crash.test.ts',
  ],
  [
    'tests/integration/hub-metrics.test.ts',
    'tests/integration/hub-process.test.ts',
    'tests/integration/hub-replicas.test.ts',
    'tests/integration/hub-store.test.ts',
    'tests/integration/pooler.test.ts',
    'tests/integration/releases.test.ts',
  ],
  ['tests/integration/dev-server.test.ts'],
];
/**
 * They start processes that compute, measure or change their own process, or prepare and clear for
 * all tests of a file; those that read the same edition, which they build, share a process. Those that
 * take longest begin first, or the last of them would run alone.
 */
const APART = [
  ['tests/browser/files-only.test.ts', 'tests/browser/other-engines.test.ts'],
  [
    'tests/integration/build.test.ts',
    'tests/integration/below-a-path.test.ts',
    'tests/integration/method-page.test.ts',
    'tests/integration/month-pages.test.ts',
    'tests/integration/page-trade.test.ts',
    'tests/browser/theme.test.ts',
  ],
  ['tests/integration/package.test.ts'],
  ['tests/integration/front-servers.test.ts'],
  ['tests/integration/container.test.ts'],
  ['tests/integration/publish-workflow.test.ts'],
];
/** They share a browser. */
const IN_BROWSER = /^tests\/(browser\/|attack\/injection\.)/;
const ALL = 'tests/{unit,integration,spec,browser,attack}/**/*.test.ts';

/** A folder in memory: builds and databases of tests write much, and nothing of it stays. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY = 8 * 1024 ** 3;

// Runs every test, or the files and patterns named. All but unit tests read the test edition, which
// is built once before.
const named = process.argv.slice(2);
const found = globSync(named.length > 0 ? named : ALL, { cwd: ROOT }).sort();
if (isMemoryFolderUsable()) process.env.TMPDIR ??= MEMORY_FOLDER;
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

/** Tells whether tests can use the folder in memory: it has room, and programs may run there. */
function isMemoryFolderUsable(): boolean {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  const [, options = 'noexec'] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
  if (/\b(?:noexec|ro)\b/.test(options) || freemem() < MIN_MEMORY) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MIN_MEMORY / 2;
}

/**
 * Returns a file for each process, those that take longest first. Most test files share a process
 * with others, because to load what they have in common takes as long as their tests.
 */
async function processesFor(found: string[]): Promise<string[]> {
  const chosen = new Set(found);
  const take = (files: readonly string[]) => files.filter((file) => chosen.delete(file));
  const [waiting, apart] = [WAITING.map(take), APART.map(take)];
  const inBrowser = take(found.filter((file) => IN_BROWSER.test(file)));
  // Unit tests wait for nothing, so that more processes than cores would only load more.
  const isUnit = found.every((file) => file.startsWith('tests/unit/'));
  const count = isUnit ? availableParallelism() : SHARES;
  const shares = Array.from({ length: count }, (_, share) =>
    [...chosen].filter((_, index) => index % count === share),
  );
  const processes = [inBrowser, ...waiting, ...shares, ...apart];
  return Promise.all(processes.filter((files) => files.length > 0).map(importing));
}

/** Writes a file that imports test files. */
async function importing(files: readonly string[], index: number): Promise<string> {
  if (files.length === 1) return join(ROOT, files[0]!);
  const imports = files.map((file) => `import '${pathToFileURL(join(ROOT, file)).href}';\n`);
  const path = join(folder, `share-${index}.mjs`);
  await writeFile(path, imports.join(''));
  return path;
}

async function runTests(files: string[]): Promise<{ passed: number; failed: number }> {
  const totals = { passed: 0, failed: 0 };
  const results = run({
    files,
    concurrency: AT_ONCE,
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
