import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleEdition } from '../support/edition.ts';
import { readPages, visibleText } from '../support/pages.ts';

const pages = new Map(
  (await readPages(await sampleEdition())).map(({ path, html }) => [path, html]),
);
const policy = pages.get('/policy/')!;

test('the policy counts what was left out and removed, and names an address to write to', () => {
  const text = visibleText(policy);
  assert.match(text, /355 of 373 known reviews are published/);
  assert.match(text, /Removed because Reviews/);
  assert.match(text, /nothing here states whether they were asked for/);
  assert.match(policy, /href="mailto:hello@harborandpine\.example"/);
});

test('every page leads to the policy, and each review to its last section', () => {
  for (const [path, html] of pages) assert.ok(html.includes('href="/policy/"'), path);
  const review = [...pages].find(([path]) => /^\/reviews\/\w{26}\/$/.test(path))!;
  assert.match(review[1], /href="\/policy\/#complaints"[^>]*>Report this review/);
});
