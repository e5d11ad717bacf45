import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editionFolder, openCurrent, publishText } from '../support/edition-folder.ts';
import { collectGarbage } from '../support/garbage.ts';

const SWAPS = 20;
/** Times the memory after the second swap. */
const MOST = 1.3;

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
  assert.ok(last <= MOST * second, `${last} bytes after ${second}`);
});
