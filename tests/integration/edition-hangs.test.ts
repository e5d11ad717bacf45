import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import type { LoaderOptions } from '../../sidecar/edition/edition-loader.ts';
import { OriginSource } from '../../sidecar/edition/origin-source.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { meterEdition } from '../../sidecar/metrics/edition-meters.ts';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import { quiet, recorder } from '../support/edition.ts';
import { announceText, editionFolder, publishText, putFile } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { Origin } from '../support/origin.ts';
import { samplesOf } from '../support/samples.ts';

/** Time for a look at the source: of one that does not hang, and of one that does. */
const LONG_MS = 120_000;
const SHORT_MS = 1_000;
const ROBOTS = '/robots.txt';

async function opened(context: TestContext) {
  const { source, dataDir } = await editionFolder(context);
  const origin = await Origin.start(context, source);
  const { logger, lines } = recorder('warn');
  const options: LoaderOptions = {
    source: new OriginSource(origin.url),
    dataDir,
    logger,
    lookMs: LONG_MS,
  };
  return { source, origin, current: await CurrentEdition.open(options), options, lines };
}

/** Answers with the first byte of a file, and never with the next one. */
function sendOneByte(origin: Origin): void {
  origin.instead.set(ROBOTS, (_, response) => {
    response.writeHead(200, { 'content-length': 4 }).write('n');
  });
}

test('a preparation that never ends is given up, and the next one takes the edition', async (context) => {
  const { source, origin, current, options, lines } = await opened(context);
  const before = current.get();
  await announceText(source, 'robots.txt', 'new\n');
  sendOneByte(origin);
  options.lookMs = SHORT_MS;
  assert.equal(await current.refresh(), 'failed');
  assert.equal(current.get(), before);
  assert.equal(lines[0]!.level, 'error');
  assert.match(String(lines[0]!.error), /no edition within 1 s/);

  await putFile(source, 'robots.txt', 'new\n');
  origin.instead.clear();
  options.lookMs = LONG_MS;
  assert.equal(await current.refresh(), 'adopted');
  assert.notEqual(current.get().digest, before.digest);
});

test('a disk that never answers fails one look, and what it answers later is not used', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let hangs = false;
  class HangingFolder extends FolderSource {
    override async readManifest(known: string | undefined) {
      const read = super.readManifest(known);
      if (hangs) await answered;
      return read;
    }
  }
  const options: LoaderOptions = {
    source: new HangingFolder(source),
    dataDir,
    logger: quiet,
  };
  const current = await CurrentEdition.open(options);
  await publishText(source, 'robots.txt', 'one\n');
  hangs = true;
  options.lookMs = SHORT_MS;
  assert.equal(await current.refresh(), 'failed');
  hangs = false;
  options.lookMs = LONG_MS;
  await publishText(source, 'robots.txt', 'another\n');
  assert.equal(await current.refresh(), 'adopted');
  const { digest } = current.get();
  answer();
  assert.equal(await current.refresh(), 'unchanged');
  assert.equal(current.get().digest, digest);
});

test('the age of the last look that succeeded grows while others fail or hang', async (context) => {
  const { origin, current } = await opened(context);
  let now = Date.now();
  const { meters, text } = prometheus();
  meterEdition(meters, current, () => now);
  const age = async () => samplesOf(await text()).get('reviews_edition_success_age_seconds')!;
  await origin.die();
  assert.equal(await current.refresh(), 'failed');
  now += 7_200_000;
  assert.equal(Math.round((await age()) / 100), 72);
  assert.equal(Math.round(current.check(now).seconds_since_success / 100), 72);
  await origin.comeBack();
  await eventually(async () => (await current.refresh()) === 'unchanged');
  now = Date.now();
  assert.ok((await age()) < 60);
});
