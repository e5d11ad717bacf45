import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  INSIGHTS_PAGE_PATH,
  METHOD_CHECK_PATH,
  METHOD_PATH,
  POLICY_PATH,
} from '../../src/paths.ts';
import { provenance } from '../../src/schema/provenance.ts';
import { bistroEdition, IMPORT } from '../support/bistro-edition.ts';
import { readDataset, readJson } from '../support/edition.ts';
import { readPages, visibleText } from '../support/pages.ts';
import { parseDocument } from '../support/parse-xml.ts';

const { client } = await bistroEdition();
const pages = new Map((await readPages(client)).map(({ path, html }) => [path, visibleText(html)]));
const page = pages.get(METHOD_PATH)!;

test('the page says how each platform checks its reviews, and how many it has', () => {
  assert.ok(page.includes(IMPORT.verification));
  assert.match(
    page,
    /Google: 3 reviews published here ?, registered; 4 reviews on the platform on April 2, 2026/,
  );
  assert.match(page, /Yelp Entered by hand\. .* Yelp: 1 review published here/);
});

test('the page names the exports by day, rows and SHA-256, and never by file name', async () => {
  assert.match(page, new RegExp(`April 2, 2026 JSON, Google .* SHA-256 ${IMPORT.sha256} 4 1 `));
  const json = await readFile(join(client, 'provenance.json'), 'utf8');
  assert.doesNotMatch(page + json, /private-name|secret-id/);
});

test('the page accounts for what was left out and changed', () => {
  assert.match(page, /209 of 211 known reviews are published, whatever their stars/);
  assert.match(page, /1 review left out: the business does not state/);
  assert.match(page, /1 review withdrawn\./);
  assert.match(page, /Google November 5, 2025 A full export of its platform no longer has it/);
  assert.match(page, /Machine translations that a platform added are removed/);
  assert.match(page, /shortened by importing to the first name and an initial/);
});

test('without a script the page that recomputes everything names the command', () => {
  assert.match(pages.get(METHOD_CHECK_PATH)!, /npm run verify -- http/);
});

test('the policy says what the business states of how it came by its reviews', () => {
  const policy = pages.get(POLICY_PATH)!;
  assert.match(policy, /the business asks all of its customers for a review and rewards reviews\./);
  assert.doesNotMatch(policy, /nothing here states/);
});

test('the license of the data is stated for crawlers and for tools of machine learning', async () => {
  const robots = await readFile(join(client, 'robots.txt'), 'utf8');
  assert.match(robots, /^Content-Signal: search=yes, ai-input=yes, ai-train=yes$/m);
  // A linter of pages takes Content-Usage in robots.txt for a mistake.
  assert.doesNotMatch(robots, /Content-Usage/);
  const headers = await readFile(join(client, '_headers'), 'utf8');
  assert.match(headers, /^\S*\/\*\n(?: .*\n)*  content-usage: search=y, train-ai=y$/m);
  const [, address] = /^License: (.*)$/m.exec(robots)!;
  assert.match(address!, /\/license\.xml$/);
  const rsl = await readFile(join(client, 'license.xml'), 'utf8');
  assert.equal(parseDocument(rsl).name, 'rsl');
  assert.match(rsl, /<payment type="attribution"><standard>https:\/\/creativecommons\.org/);

  // oxlint-disable-next-line typescript/no-explicit-any -- as its specification has it
  const { distribution, license, recordSet } = await readJson<any>(client, 'croissant.json');
  assert.equal(license, 'https://creativecommons.org/licenses/by/4.0/');
  assert.equal(distribution.length, 2);
  for (const { name, sha256, contentSize } of distribution) {
    const bytes = await readFile(join(client, name));
    assert.deepEqual([sha256, contentSize], [hash('sha256', bytes), `${bytes.length} B`]);
  }
  const [header] = (await readFile(join(client, 'reviews.csv'), 'utf8')).slice(1).split('\r\n');
  const columns = recordSet[0].field.map(
    (field: { source: { extract: { column: string } } }) => field.source.extract.column,
  );
  assert.deepEqual(columns, header!.split(','));
});

test('the pages say which share of the reviews a model read', () => {
  for (const text of [page, pages.get(INSIGHTS_PAGE_PATH)!]) {
    assert.match(text, /208 reviews \(&gt;99%\) were read by local-rules /);
    assert.match(text, /1 review \(&lt;1%\) was read by a-model \(prompt 1\)\./);
  }
});

test('provenance.json is as its schema says, and agrees with reviews.json', async () => {
  const document = provenance.parse(await readJson(client, 'provenance.json'));
  const { edition, coverage } = await readDataset(client);
  assert.equal(document.edition, edition);
  assert.deepEqual(document.coverage, coverage);
});

test('the home page says how the reviews were checked', () => {
  assert.match(
    pages.get('/')!,
    /3 reviews were written with an account of Google\. Of 206 reviews, the business states that customers wrote them\..*How this was checked/,
  );
});
