import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { manifest } from '../../src/edition/manifest.ts';
import { verify } from '../../src/owner/commands/verify.ts';
import { EDITION_PATH } from '../../src/paths.ts';
import { readJson, sampleEdition } from '../support/edition.ts';
import { publishText } from '../support/edition-folder.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { Origin } from '../support/origin.ts';
import { run } from '../support/run.ts';
import { pour } from './lies.ts';

const client = await sampleEdition();
const MEMORY_KB = 200 * 1024;
const BOMB = gzipSync(Buffer.alloc(200_000_000));
type Answer = Parameters<Origin['instead']['set']>[1];
const silent = () => {};
const dripping: Answer = (_, response) => {
  const send = () => response.write(' ') && timer.refresh();
  const timer = setTimeout(send, 100);
  response.on('close', () => clearTimeout(timer));
};

/** All of its resources are wrong, each in several ways. */
const WRONG = JSON.stringify({
  ...(await readJson<object>(client, 'edition.json')),
  resources: Array.from({ length: 250_000 }, () => ({ path: 1, odd: '........' })),
});

const ENDLESS = 6;
const DENSE = '[],'.repeat(2_000_000);
const NESTED = '['.repeat(8_000_000);
const redirect =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const bytes =
  (body: string | Buffer, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(200, headers).end(body);
const endless: Answer = (_, response) => pour(response);

/** Beginnings of paths, the answer at them, and the sentence that ends the command. */
const HOSTILE: [paths: string, answer: Answer, message: RegExp][] = [
  ['/edition.json', endless, /edition\.json cannot .* more than 8388608 b/],
  ['/reviews.json', endless, /reviews\.json cannot .* more than \d+ bytes$/],
  [
    '/edition.json',
    bytes(BOMB, { 'content-encoding': 'gzip' }),
    /edition\.json cannot .* more than 8388608 bytes$/,
  ],
  ['/edition.json', bytes(NESTED), /edition\.json has more than 100 levels$/],
  ['/edition.json', bytes(DENSE), /edition\.json has 4000001 values in 6000000 bytes$/],
  [
    '/edition.json',
    bytes(WRONG),
    /edition\.json is not of the kind and version that this program verifies: resources\.0\.path: .*string/,
  ],
  ['/edition.json', silent, /edition\.json cannot be read: silent for 10 s$/],
  ['/reviews.json', silent, /reviews\.json cannot be read: silent for 10 s$/],
  ['/journal.json', dripping, /journal\.json cannot .* took longer than 20 s: .*--limits 5 allows/],
  [
    '/edition.json',
    redirect('http://127.0.0.2/metadata'),
    /edition\.json cannot be read: a redirect to http:\/\/127\.0\.0\.2, which is not followed$/,
  ],
  ['/edition.json', bytes('[]'.repeat(1000)), /\/edition\.json is not JSON$/],
  ['/edition.json', redirect('/edition.json'), /edition\.json answered 302$/],
  [
    '/reviews/',
    silent,
    /took longer than 33 s: if you trust it, --limits 5 allows five times as much$/,
  ],
];

const refuses = async (
  context: TestContext,
  [paths, answer, message]: (typeof HOSTILE)[number],
) => {
  const origin = await Origin.start(context, client);
  const { resources } = manifest.parse(await documentOf('edition.json'));
  for (const { path } of [...resources, { path: EDITION_PATH }]) {
    if (path.startsWith(paths)) origin.instead.set(path, answer);
  }
  await assert.rejects(verified(origin.url), { message });
};

test('a site that sends without end takes little memory', async (context) => {
  const before = process.resourceUsage().maxRSS;
  for (const site of HOSTILE.slice(0, ENDLESS)) await refuses(context, site);
  assert.ok(process.resourceUsage().maxRSS - before < MEMORY_KB);
});

test('a hostile site ends verify in one sentence, within a minute', async (context) => {
  const begin = performance.now();
  await Promise.all(HOSTILE.slice(ENDLESS).map((site) => refuses(context, site)));
  assert.ok(performance.now() - begin < 60_000);
});

test('a site states once, in edition.json, which documents it has', async (context) => {
  const folder = join(await temporaryFolder(context), 'copy');
  await run('cp', ['-al', client, folder]); // files are replaced, not written
  const origin = await Origin.start(context, folder);
  const months = ['/changes/1.json', ...Array<string>(50_000).fill('/insights.json')];
  const journal = { ...(await documentOf('journal.json')), months };
  await publishText(folder, 'journal.json', JSON.stringify(journal));
  await assert.rejects(verified(origin.url), /edition\.json does not list \/changes\/1\.json$/);
  assert.ok(origin.requests.length < 10);
});

const documentOf = (path: string) => readJson<object>(client, path);
const verified = (site: string) => verify([site], () => {});
