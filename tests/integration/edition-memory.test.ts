import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { editionFolder, openCurrent, publishText } from '../support/edition-folder.ts';
import { realTime } from '../support/eventually.ts';

const SWAPS = 4;

test('no replaced edition stays in memory', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  await publishText(source, 'robots.txt', '0');
  const current = await openCurrent(source, dataDir);
  const replaced: WeakRef<object>[] = [];
  for (let swap = 1; swap <= SWAPS; swap++) {
    replaced.push(new WeakRef(current.get()));
    await publishText(source, 'robots.txt', String(swap));
    assert.equal(await current.refresh(), 'adopted');
  }
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = () => replaced.filter((edition) => edition.deref() !== undefined).length;
  // A collection needs turns of the event loop in which nothing reads the references.
  for (let turn = 0; turn < 20 && held() > 0; turn++) {
    await realTime(10);
    collect();
  }
  assert.equal(held(), 0);
});
