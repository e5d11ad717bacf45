import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonLogger } from '../../sidecar/base/log.ts';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { prepareInProcess, type Job } from '../../sidecar/edition/prepare.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { atOnce } from '../../src/search/steps.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { announceText, editionFolder, publishText } from '../support/edition-folder.ts';

const QUERIES = ['water', 'on time', 'e', ' b', '. T', 'é', 'qx'];

/** Time for which an origin may say nothing. */
const ORIGIN_MS = 10_000;

/** Opens an edition twice: prepared by another process, and by this one. */
async function openBoth(context: TestContext) {
  const { source, dataDir } = await editionFolder(context);
  const lines: { level: string; error: string }[] = [];
  const logger = jsonLogger('warn', (line) => lines.push(JSON.parse(line)));
  const open = (dataDir: string, prepare?: ReturnType<typeof prepareInProcess>) =>
    CurrentEdition.open({
      source: new FolderSource(source),
      dataDir,
      logger,
      ...(prepare && { prepare }),
    });
  const there = await open(dataDir, prepareInProcess(source));
  return { source, there, here: await open(`${dataDir}-here`), lines };
}

test('an edition that another process prepared answers as one that this process prepared', async (context) => {
  const { source, there, here } = await openBoth(context);
  await publishText(source, 'robots.txt', 'another\n');
  for (const current of [there, here]) assert.equal(await current.refresh(), 'adopted');
  const answers = [there, here].map(async (current) => {
    const { digest, search, metadata, insights, files } = current.get();
    return {
      digest,
      metadata,
      insights,
      found: QUERIES.map((query) => search.search({ query, limit: 100 })),
      counts: atOnce(search.count({ group_by: ['aspect'], examples: 0 })).groups.map(
        ({ group }) => group,
      ),
      bytes: files.cached('reviews.json'),
    };
  });
  const [other, own] = await Promise.all(answers);
  assert.ok(other!.found.some(({ matched }) => matched > 0));
  assert.deepEqual(other, own);
});

test('an edition whose process was killed is taken by the next check', async (context) => {
  const { source, there, lines } = await openBoth(context);
  const { digest } = there.get();
  await publishText(source, 'robots.txt', 'another\n');
  const refreshed = there.refresh();
  process.kill(await firstChild(), 'SIGKILL');
  assert.equal(await refreshed, 'failed');
  assert.equal(there.get().digest, digest);
  assert.match(lines[0]!.error, /the process that prepares the edition ended: SIGKILL/);
  assert.equal(await there.refresh(), 'adopted');
});

/** Waits until this process has a child, and returns its id. */
async function firstChild(): Promise<number> {
  for (;;) {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    if (children !== '') return Number.parseInt(children);
    await nextTurn();
  }
}

test('an edition that the other process refuses leaves the last one in place, for the same reason', async (context) => {
  const { source, there, here, lines } = await openBoth(context);
  const { digest } = there.get();
  await announceText(source, 'robots.txt', 'announced, not written\n');
  for (const current of [there, here]) {
    assert.equal(await current.refresh(), 'failed');
    assert.equal(current.get().digest, digest);
  }
  const reasons = lines.map(({ level, error }) => [level, error.split('\n')[0]]);
  assert.equal(reasons.length, 2);
  assert.match(reasons[0]![1]!, /^UnusableEditionError: .*robots\.txt/);
  assert.deepEqual(reasons[0], reasons[1]);
});

test('another process that cannot read its edition fails the check alone', async (context) => {
  const { source, there } = await openBoth(context);
  await publishText(source, 'robots.txt', 'another\n');
  await rm(join(source, 'reviews.json'));
  assert.equal(await there.refresh(), 'adopted', 'it is in DATA_DIR already');
  await announceText(source, 'reviews.json', 'x');
  assert.equal(await there.refresh(), 'failed');
});

test('the process that prepares an edition ends with the one that serves, not by its signals', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const silentOrigin = createServer().listen(0, '127.0.0.1');
  context.after(() => silentOrigin.close());
  const asked = once(silentOrigin, 'connection');
  await once(silentOrigin, 'listening');
  const { port } = silentOrigin.address() as AddressInfo;
  const program = new URL('../../sidecar/edition/main.ts', import.meta.url);
  const child = fork(program, { execArgv: [], serialization: 'advanced' });
  const exited = once(child, 'exit');
  const manifestBytes = await readFile(join(source, MANIFEST_FILE));
  const address = `http://127.0.0.1:${port}`;
  child.send({ address, manifestBytes, dataDir, maxBytes: Infinity } satisfies Job);
  const [socket] = (await asked) as [Socket];
  child.kill('SIGTERM');
  child.kill('SIGINT');
  child.disconnect();
  const left = performance.now();
  assert.deepEqual(await exited, [0, null]);
  const waited = performance.now() - left;
  assert.ok(waited < ORIGIN_MS / 2, `${waited} ms`);
  socket.destroy();
});
