import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { contentHash } from '../../src/insights/analyze/review-reader.ts';
import { INSIGHTS_PAGE_PATH, METHOD_PATH } from '../../src/paths.ts';
import { provenance } from '../../src/schema/provenance-document.ts';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition, sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { htmlErrors } from '../support/validate-html.ts';

const SHA = 'c0ffee'.padEnd(64, '0');
const RULE =
  'Written with a signed-in account. Google does not check that the author was a customer.';
const IMPORT = {
  imported_at: '2026-04-02T09:00:00Z',
  file: 'private-name.json',
  sha256: SHA,
  format: 'JSON, Google Business Profile (Takeout or API)',
  sources: ['google'],
  rows: 4,
  added: 4,
  changed: 0,
  withdrawn: 1,
  skipped: 1,
  platform_total: 4,
  verification: RULE,
};
const TOMBSTONE = {
  id: ulidOf(9),
  date: '2025-11-05',
  source: 'google',
  source_id: 'secret-id',
  withdrawn_at: '2026-04-02T09:00:00Z',
  reason: 'no longer in a full export',
};

const ANNOTATION = {
  review_id: ulidOf(1),
  content_hash: contentHash(record()),
  source: 'a-model (prompt 1)',
  aspects: [],
};

const removals: (() => Promise<void>)[] = [];
const context = { after: (remove: () => Promise<void>) => void removals.push(remove) };
after(() => Promise.all(removals.map((remove) => remove())));

let client: string;
let page: string;

before(async () => {
  const digest = { source_digest: '0123456789abcdef' };
  const contentDir = await contentFolder(context, {
    'business.json': JSON.stringify({
      name: 'Fenwick Drains',
      category: 'drain cleaning',
      author_display: 'first-initial',
    }),
    'faq/prices.md': null,
    'summary.md': null,
    'vocabulary/service-areas.json': null,
    'annotations/model.jsonl': jsonl(ANNOTATION),
    'imports.jsonl': jsonl(IMPORT),
    'withdrawn.jsonl': jsonl(TOMBSTONE),
    'reviews/2026.jsonl': jsonl(
      record({ id: ulidOf(1), ...digest }),
      record({ id: ulidOf(2), ...digest }),
      record({ id: ulidOf(3), source: 'yelp' }),
      record({ id: ulidOf(4), verified: false }),
    ),
  });
  const outDir = join(await temporaryFolder(context), 'dist');
  ({ client } = await buildEdition(outDir, { CONTENT_DIR: contentDir }));
  const found = (await readPages(client)).find(({ path }) => path === METHOD_PATH)!;
  assert.deepEqual(await htmlErrors(found.html), []);
  page = visibleText(found.html);
});

test('the page says what verified means on each platform, and how many reviews it has', () => {
  assert.ok(page.includes(RULE));
  assert.match(
    page,
    /Google: 2 reviews published here ?; 4 reviews on the platform on April 2, 2026/,
  );
  assert.match(page, /Yelp Entered by hand\. .* Yelp: 1 review published here/);
});

test('the page names the exports by day, rows and SHA-256, and never by file name', async () => {
  assert.match(page, new RegExp(`April 2, 2026 JSON, Google .* SHA-256 ${SHA} 4 1 `));
  const json = await readFile(join(client, 'provenance.json'), 'utf8');
  assert.doesNotMatch(page + json, /private-name|secret-id/);
});

test('the page accounts for what was left out and changed', () => {
  assert.match(page, /3 of 5 known reviews are published, whatever their stars/);
  assert.match(page, /1 review left out as unverified/);
  assert.match(page, /1 review withdrawn\./);
  assert.match(page, /Google November 5, 2025 A full export of its platform no longer has it/);
  assert.match(page, /Machine translations that a platform added are removed/);
  assert.match(page, /shortened by importing to the first name and an initial/);
});

test('the pages say which share of the reviews a model read', async () => {
  const insights = (await readPages(client)).find(({ path }) => path === INSIGHTS_PAGE_PATH)!;
  for (const text of [page, visibleText(insights.html)]) {
    assert.match(text, /67% of the reviews \(2 reviews\) were read by local-rules /);
    assert.match(text, /33% of the reviews \(1 review\) were read by a-model \(prompt 1\)\./);
  }
});

test('provenance.json is as its schema says, and agrees with reviews.json', async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(client, file), 'utf8'));
  const document = provenance.parse(await read('provenance.json'));
  const { edition, coverage } = await read('reviews.json');
  assert.equal(document.edition, edition);
  assert.deepEqual(document.coverage, coverage);
});

test('the home page explains “verified” where it is first read', async () => {
  const home = (await readPages(client)).find(({ path }) => path === '/');
  assert.match(
    visibleText(home!.html),
    /3 verified reviews Verified: imported from the platform named with it, or entered by the business/,
  );
});

test('the bundle has the same bytes for any dataset and folder, and no path of this machine', async () => {
  const scripts = async (folder: string) => {
    const names = await readdir(join(folder, '_astro'));
    const own = names.filter((name) => name.endsWith('.js')).sort();
    return Promise.all(
      own.map(async (name) => [name, await readFile(join(folder, '_astro', name), 'utf8')]),
    );
  };
  const built = await scripts(client);
  assert.equal(built.length, 2, 'the script of the page and its worker');
  assert.deepEqual(built, await scripts(await sampleEdition()));
  for (const [name, code] of built) assert.ok(!code!.includes(process.cwd()), name);
});
