import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openEdition } from '../../sidecar/edition/edition.ts';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import { monthPath, reviewPath } from '../../src/paths.ts';
import { launchChromium } from '../support/chromium.ts';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition, readDataset } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { elements, textOf } from '../support/html.ts';
import { attributeValues, readManifest } from '../support/pages.ts';
import { ulidOf } from '../support/reviews.ts';
import { axeFindings } from '../support/site-browser.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

const COUNT = 205;
const MONTH = '2026-02';

let client: string;
let ids: string[];
const html = new Map<string, string>();

before(async (context) => {
  const records = Array.from({ length: COUNT }, (_, number) => ({
    id: ulidOf(number),
    author: `Author ${number}`,
    rating: 1 + (number % 5),
    date: `${MONTH}-${String(1 + (number % 28)).padStart(2, '0')}`,
    text: `Visit ${number} went well.`,
    source: 'google',
    verified: true,
  }));
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const content = await contentFolder(context as never, {
    reviews: null,
    'reviews/2026.jsonl': lines,
    faq: null,
    journal: null,
    annotations: null,
  });
  const outDir = join(await temporaryFolder(context as never), 'dist');
  ({ client } = await buildEdition(outDir, { CONTENT_DIR: content }));
  ids = (await readDataset(client)).reviews.map(({ id }) => id);
  for (const { path, file } of (await readManifest(client)).resources) {
    if (path.startsWith(monthPath(MONTH))) {
      html.set(path, await readFile(join(client, file), 'utf8'));
    }
  }
});

test('a month of 205 reviews has three pages with 100 reviews at most', () => {
  const paths = [1, 2, 3].map((page) => monthPath(MONTH, page));
  assert.deepEqual([...html.keys()].sort(), paths);
  const cards = paths.map((path) => html.get(path)!.match(/<article class="review"/g)!.length);
  assert.deepEqual(cards, [100, 100, 5]);
});

test('every review of the month is on one of its pages, newest first', () => {
  const pages = [1, 2, 3].map((page) => html.get(monthPath(MONTH, page))!);
  const shown = pages.flatMap((page) =>
    [...page.matchAll(/<article .*?href="\/reviews\/([0-9A-Z]{26})\/"/gs)].map(([, id]) => id),
  );
  assert.deepEqual(shown, ids);
});

test('the first page has the id of every review, so that links to its fragments find it', () => {
  const page = html.get(monthPath(MONTH))!;
  const anchors = attributeValues(page, 'id').filter((id) => ids.includes(id));
  assert.deepEqual(anchors, ids);
  for (const id of ids) assert.ok(page.includes(`href="${reviewPath(id)}"`), id);
});

test('each page leads to the others', () => {
  for (const [path, page] of html) {
    const hrefs = attributeValues(page, 'href');
    for (const other of html.keys()) assert.ok(hrefs.includes(other), `${path} to ${other}`);
    assert.ok(page.includes(`<link rel="canonical" href="http://localhost:4321${path}">`));
  }
});

test('beside the reviews are filters of the month, with as many reviews as they say', () => {
  const page = html.get(monthPath(MONTH))!;
  const links = elements(page, 'a').filter(({ attributes }) =>
    attributes.href?.startsWith(`/search/?since=${MONTH}-01&until=${MONTH}-28&rating=`),
  );
  assert.deepEqual(
    links.map(({ inner }) => textOf(inner).trim()),
    [5, 4, 3, 2, 1].map((stars) => `${stars} ${stars === 1 ? 'star' : 'stars'} ${COUNT / 5}`),
  );
  assert.doesNotMatch(page, /has_reply=/, 'a filter that all reviews pass');
});

test('axe finds nothing on a later page of a month', async (context) => {
  const edition = await openEdition({
    digest: 'a month of several pages',
    folder: client,
    manifest: await readManifest(client),
    manifestBytes: await readFile(join(client, MANIFEST_FILE)),
  });
  const server = await listenOnFreePort(await sampleApp({ edition: () => edition }));
  context.after(() => server.close());
  const browser = await launchChromium();
  context.after(() => browser.close());
  const page = await (await browser.newContext()).newPage();
  const response = await page.goto(new URL(monthPath(MONTH, 3), server.url).href);
  assert.equal(response?.status(), 200);
  assert.deepEqual(await axeFindings(page, []), []);
});
