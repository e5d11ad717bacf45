import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { FolderSource, type FileLocation } from '../../sidecar/edition/source.ts';
import { editionFolder, openCurrent } from '../support/edition-folder.ts';
import { realTime } from '../support/eventually.ts';
import { temporaryFolder } from '../support/fixtures.ts';

const USUAL_MS = 60_000;

test('a look that failed is repeated soon, then twice as late each time, never later than usual', async (context) => {
  const { source: folder, dataDir } = await editionFolder(context);
  const source = new FolderSource(folder);
  const current = await openCurrent(folder, dataDir, { source });
  const waits: number[] = [];
  let scheduled = (): void => {};
  context.mock.method(globalThis, 'setTimeout', (_look: () => void, ms: number) => {
    if (ms > USUAL_MS) return; // the deadline of a look
    waits.push(ms);
    scheduled();
  });
  /** Looks and waits until the next look is scheduled. */
  const look = (): Promise<void> =>
    new Promise((resolve) => {
      scheduled = resolve;
      current.watch(USUAL_MS);
    });
  const { mock } = context.mock.method(source, 'readManifest');
  const fail = (): void => mock.mockImplementation(() => Promise.reject(new Error('half done')));

  fail();
  for (let count = 0; count < 7; count++) await look();
  mock.restore();
  await look();
  assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);

  context.mock.method(source, 'readManifest', () => Promise.reject(new Error('half done')));
  await look();
  assert.equal(waits.at(-1), 2_000, 'a look that succeeded ends the series');
});

test('an edition that may not be read is not called missing', async (context) => {
  const folder = await temporaryFolder(context);
  await mkdir(join(folder, 'edition.json', 'x'), { recursive: true });
  await assert.rejects(
    new FolderSource(folder).readManifest(undefined),
    /EISDIR: illegal operation/,
  );
  await assert.rejects(
    new FolderSource(join(folder, 'none')).readManifest(undefined),
    /has no edition\.json: run npm run build/,
  );
});

test('a file that is missing from a folder fails when it is read, however late that is', async (context) => {
  const { source: folder } = await editionFolder(context);
  const file = { path: '/gone', file: 'gone', size: 1, digest: '' };
  const [{ open }] = new FolderSource(folder).locations(file) as [FileLocation];
  const chunks = await open(AbortSignal.timeout(120_000));
  await realTime(50);
  await assert.rejects(buffer(chunks), { code: 'ENOENT' });
});
