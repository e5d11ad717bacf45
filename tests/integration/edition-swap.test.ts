import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileCache } from '../../sidecar/edition/file-store.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { manifest } from '../../src/edition/manifest.ts';
import { editionFolder, openCurrent, publishText } from '../support/edition-folder.ts';
import { realTime } from '../support/eventually.ts';
import { collectGarbage } from '../support/garbage.ts';
import { bytesOf, exchange } from '../support/http.ts';
import { Origin } from '../support/origin.ts';
import { serveSample } from '../support/targets.ts';

const EDITIONS = 3;
const READERS = 2;
const LONG = 1_100_000;

test('every answer comes from one edition while editions are replaced', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  await publishText(source, 'robots.txt', textOf(0));
  const origin = await Origin.start(context, source);
  // So that the long text is streamed.
  const current = await openCurrent(origin.url, dataDir, { cache: fileCache(1_000_000) });
  const url = await serveSample(context, { edition: () => current.get() });

  const published = new Set([strongETag(textOf(0))]);
  const seen = new Set<string>();
  const over = new AbortController();
  const read = async (): Promise<void> => {
    while (!over.signal.aborted && !context.signal.aborted) {
      await realTime(60);
      for (const path of ['/robots.txt', '/edition.json', '/reviews.json']) {
        const response = await exchange(url, path);
        const bytes = await bytesOf(response);
        assert.equal(response.headers.get('etag'), strongETag(bytes), path);
        if (path === '/robots.txt') seen.add(strongETag(bytes));
        if (path === '/edition.json') manifest.parse(JSON.parse(bytes.toString()));
      }
    }
  };
  const readers = Array.from({ length: READERS }, read);
  try {
    for (let edition = 1; edition < EDITIONS; edition++) {
      const newest = strongETag(textOf(edition));
      published.add(newest);
      await publishText(source, 'robots.txt', textOf(edition));
      assert.equal(await current.refresh(), 'adopted');
      const { headers } = await exchange(url, '/robots.txt');
      assert.equal(headers.get('etag'), newest, 'what is asked after the swap is of the new one');
    }
  } finally {
    over.abort();
    await Promise.all(readers);
  }
  assert.ok(seen.size > 1, 'readers saw more than one edition');
  for (const etag of seen) assert.ok(published.has(etag));
});

/**
 * Returns a text of the same length for every edition, so that its length does not reveal a
 * mixture.
 */
function textOf(edition: number): string {
  return `${edition}`.repeat(LONG);
}

const SWAPS = 20;
/** Times the memory after the second swap. */
const MAX_TIMES = 1.3;

test(`${SWAPS} swaps leave no replaced edition in memory, and take no more than two`, async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const current = await openCurrent(source, dataDir);
  const replaced: WeakRef<object>[] = [];
  const taken: number[] = [];
  for (let swap = 1; swap <= SWAPS; swap++) {
    replaced.push(new WeakRef(current.get()));
    await publishText(source, 'robots.txt', `${swap}\n`);
    assert.equal(await current.refresh(), 'adopted');
    if (swap > 2 && swap < SWAPS) continue;
    await collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    taken.push(heapUsed + external);
  }
  const held = replaced.filter((edition) => edition.deref() !== undefined);
  assert.equal(held.length, 0);
  const [second, last] = [taken[1]!, taken.at(-1)!];
  context.diagnostic(`${Math.round(second / 1e6)} MB, ${Math.round(last / 1e6)} MB`);
  assert.ok(last <= MAX_TIMES * second, `${last} bytes after ${second}`);
});
