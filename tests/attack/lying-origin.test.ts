import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { recorder } from '../support/edition.ts';
import {
  announceText,
  changeManifest,
  editionFolder,
  openCurrent,
} from '../support/edition-folder.ts';
import { Origin } from '../support/origin.ts';
import { Random } from '../support/random.ts';
import type { LogLine } from '../support/sidecar-process.ts';
import { serveSample } from '../support/targets.ts';
import { inconsistencies, some } from './consistency.ts';
import { fileLies, MANIFEST_TEXTS } from './lies.ts';

const MAX_BYTES = 100_000_000;
/** A manifest is read as a whole; no file of an edition may be. */
const MEMORY_KB = 500 * 1024;

test('an origin that lies in edition.json, in its files and in HTTP is never believed', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const origin = await Origin.start(context, source);
  const elsewhere = await Origin.start(context, source);
  const { logger, lines } = recorder('warn');
  const options = { logger, maxBytes: MAX_BYTES };
  const current = await openCurrent(origin.url, join(dataDir, 'inner'), options);
  const url = await serveSample(context, { edition: () => current.get() });
  const before = process.resourceUsage().maxRSS;
  const random = new Random(12);
  const manifestFile = join(source, MANIFEST_FILE);
  const honest = await readFile(manifestFile);

  const lie = async (name: string, tell: () => Promise<unknown>): Promise<void> => {
    await tell();
    assert.equal(await current.refresh(), 'failed', name);
    assert.deepEqual(await inconsistencies(url, some(random, 3)), [], name);
    await writeFile(manifestFile, honest);
  };
  const text = 'User-agent: a\nDisallow: /\n';
  for (const [name, answer] of Object.entries(fileLies(elsewhere.url))) {
    await lie(name, async () => {
      await announceText(source, 'robots.txt', text);
      origin.instead.set('/robots.txt', (request, response) =>
        answer(request, response, Buffer.from(text)),
      );
    });
    origin.instead.clear();
  }
  // Others are refused like this one (integration/manifest.test.ts).
  await lie('a file outside', () =>
    changeManifest(source, ({ resources }) => (resources[0]!.file = 'x\n/../../../escaped')),
  );
  for (const [name, text] of Object.entries(MANIFEST_TEXTS)) {
    await lie(name, () => writeFile(manifestFile, text()));
  }
  assert.ok(process.resourceUsage().maxRSS - before < MEMORY_KB);
  assert.deepEqual(elsewhere.requests, []);
  await assertNothingBeside(dataDir);
  // An error that says what is wrong with the edition is of a known class, or a full disk.
  const isKnown = ({ error }: LogLine) =>
    /UnusableEditionError|DATA_DIR .* is full/.test(String(error));
  const unknown = lines.filter((line) => !isKnown(line));
  assert.deepEqual(unknown, []);

  await changeManifest(source, (manifest) => (manifest.updated_at = '2027-01-01T00:00:00Z'));
  assert.equal(await current.refresh(), 'adopted');
  assert.deepEqual(await inconsistencies(url, (all) => all), []);
});

/** Lies name files outside DATA_DIR `escaped`; in it there is nothing but editions. */
async function assertNothingBeside(dataDir: string): Promise<void> {
  for (const folder of [dirname(dataDir), dataDir, '/tmp']) {
    const escaped = (await readdir(folder)).filter((name) => name.includes('escaped'));
    assert.deepEqual(escaped, []);
  }
  for (const name of await readdir(join(dataDir, 'inner/editions'))) {
    assert.match(name, /^([\w-]{22}(\.staging)?|current\.json)$/);
  }
}
