import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { reviewsDataset, type ReviewsDataset } from '../../src/schema/dataset.ts';
import { contentFolder } from '../support/content-folder.ts';
import { buildEdition, readDataset } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { MEANINGLESS, readPages, visibleText } from '../support/pages.ts';
import { jsonl, record } from '../support/reviews.ts';
import { htmlErrors } from '../support/validate-html.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

/** Builds the site of a business with this one review and nothing else; its pages are by path. */
async function siteOf(
  context: TestContext,
  fields: Parameters<typeof record>[0],
): Promise<{ dataset: ReviewsDataset; pages: Record<string, string> }> {
  const empty = Object.fromEntries(
    ['aspects', 'problems', 'service-areas', 'services', 'technicians', 'topics'].map((name) => [
      `vocabulary/${name}.json`,
      '[]',
    ]),
  );
  const contentDir = await contentFolder(context, {
    'business.json': JSON.stringify({ name: 'Fenwick Drains', category: 'drain cleaning' }),
    'faq/prices.md': null,
    'reviews/2026.jsonl': jsonl(record(fields)),
    'summary.md': null,
    ...empty,
  });
  const outDir = join(await temporaryFolder(context), 'dist');
  const { client } = await buildEdition(outDir, { CONTENT_DIR: contentDir });
  const pages = await readPages(client);
  for (const { html, path } of pages) assert.deepEqual(await htmlErrors(html), [], path);
  // /developers/ shows JSON, in which null is valid.
  const forPeople = pages.filter(({ path }) => !path.startsWith('/developers/'));
  return {
    dataset: reviewsDataset.parse(await readDataset(client)),
    pages: Object.fromEntries(forPeople.map(({ path, html }) => [path, visibleText(html)])),
  };
}

test('a business without a published review says so on every page, and counts nothing', async (context) => {
  const { dataset, pages } = await siteOf(context, { verified: false });
  assert.deepEqual(dataset.reviews, []);
  assert.deepEqual([dataset.coverage.known, dataset.coverage.published], [1, 0]);
  assert.deepEqual(Object.keys(pages).sort(), [
    '/',
    '/404.html',
    '/faq/',
    '/insights/',
    '/method/',
    '/method/check/',
    '/reviews/',
  ]);
  assert.match(pages['/']!, /No verified reviews yet\./);
  assert.match(pages['/']!, /0 of 1 known reviews published; 1 left out : unverified/);
  assert.match(pages['/reviews/']!, /No reviews yet\./);
  assert.match(pages['/insights/']!, /there is nothing to count/);
  assert.match(pages['/faq/']!, /There are no questions here yet\./);
  for (const [path, text] of Object.entries(pages)) {
    assert.doesNotMatch(text, MEANINGLESS, path);
    assert.match(text, /^.{0,60}Fenwick Drains Reviews Developers /, path);
  }
});

test('a single rating without words, of nothing that is looked for, reads as one', async (context) => {
  const { pages } = await siteOf(context, { text: null });
  assert.match(pages['/']!, /5\.00 of 5, from 1 verified review /);
  assert.match(pages['/']!, /1 of 1 known reviews published\. March 1, 2026\./);
  assert.doesNotMatch(
    pages['/']!,
    /praise|criticize|In short|critical reviews|in the reviews|over time/,
  );
  assert.match(pages['/insights/']!, /No review mentions an aspect, a person or a service/);
  assert.doesNotMatch(pages['/insights/']!, /Technicians|Services|Problems|Topics/);
  assert.match(pages['/reviews/2026-03/']!, /1 verified review, 5\.00 of 5 on average\./);
  assert.match(pages['/reviews/2026-03/']!, /Nadia Holt on Google, rating only/);
  assert.doesNotMatch(pages['/reviews/2026-03/']!, /Older|Newer/);
  for (const text of Object.values(pages)) assert.doesNotMatch(text, /null|undefined|NaN|Infinity/);
});
