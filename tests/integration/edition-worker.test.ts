import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { jsonLogger } from '../../sidecar/base/log.ts';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import { prepareInWorker } from '../../sidecar/edition/prepare.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { rehearse } from '../../sidecar/http/rehearse.ts';
import { announceText, editionFolder, publishText } from '../support/edition-folder.ts';

const QUERIES = ['water', 'on time', 'e', ' b', '. T', 'é', 'qx'];

/** Opens an edition twice: prepared by a worker, and in this thread. */
async function openBoth(context: TestContext) {
  const { source, dataDir } = await editionFolder(context);
  const lines: { level: string; error: string }[] = [];
  const logger = jsonLogger('warn', (line) => lines.push(JSON.parse(line)));
  const open = (dataDir: string, prepare?: ReturnType<typeof prepareInWorker>) =>
    CurrentEdition.open({
      source: new FolderSource(source),
      dataDir,
      logger,
      rehearse,
      ...(prepare && { prepare }),
    });
  const there = await open(dataDir, prepareInWorker(source));
  return { source, there, here: await open(`${dataDir}-here`), lines };
}

test('an edition that a worker prepared answers as one that this thread prepared', async (context) => {
  const { source, there, here } = await openBoth(context);
  await publishText(source, 'robots.txt', 'another\n');
  for (const current of [there, here]) assert.equal(await current.refresh(), 'adopted');
  const answers = [there, here].map(async (current) => {
    const { digest, search, since, metadata, insights, files } = current.get();
    return {
      digest,
      metadata,
      insights,
      found: QUERIES.map((query) => search.search({ query, limit: 100 })),
      counts: search.count({ group_by: ['aspect'], examples: 0 }).groups.map(({ group }) => group),
      etag: await since.etag('2020-01-01'),
      bytes: files.cached('reviews.json'),
    };
  });
  const [worker, thread] = await Promise.all(answers);
  assert.ok(worker!.found.some(({ matched }) => matched > 0));
  assert.deepEqual(worker, thread);
});

test('a new edition takes little of the thread that serves', async (context) => {
  const { source, there } = await openBoth(context);
  await publishText(source, 'robots.txt', 'another\n');
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
  assert.equal(await there.refresh(), 'adopted');
  const { user: ownTime } = process.threadCpuUsage(own);
  const { user: allTime } = process.cpuUsage(all);
  assert.ok(ownTime < allTime / 2, `${ownTime} of ${allTime} µs`);
});

test('an edition that a worker refuses leaves the last one in place, for the same reason', async (context) => {
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

test('a worker that cannot read its edition fails the check alone', async (context) => {
  const { source, there } = await openBoth(context);
  await publishText(source, 'robots.txt', 'another\n');
  await rm(join(source, 'reviews.json'));
  assert.equal(await there.refresh(), 'adopted', 'it is in DATA_DIR already');
  await announceText(source, 'reviews.json', 'x');
  assert.equal(await there.refresh(), 'failed');
});
