import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHonesty } from '../support/honesty.ts';
import { EMBED_PATH } from '../../src/paths.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import {
  attributeValues,
  linksIn,
  readManifest,
  readPages,
  visibleText,
  type PublishedPage,
} from '../support/pages.ts';
import { sampleApp } from '../support/targets.ts';

/** Linked, but not files of the edition: what the sidecar answers, and the manifest itself. */
const NOT_FILES = new Set(['/search/', '/api/reviews/search', '/edition.json']);

const client = await sampleEdition();
const pages = await readPages(client);
const files = new Set((await readManifest(client)).resources.map(({ path }) => path));

/** Returns the links of a page within this site, without queries. */
function internalLinks({ html, path }: PublishedPage): URL[] {
  return linksIn(html)
    .map((value) => new URL(value, `http://site.test${path}`))
    .filter(({ origin }) => origin === 'http://site.test');
}

test('every internal link leads to a file of the edition', () => {
  let checked = 0;
  for (const page of pages) {
    for (const { pathname } of internalLinks(page)) {
      checked++;
      if (NOT_FILES.has(pathname)) continue;
      assert.ok(files.has(pathname), `${page.path} links to ${pathname}`);
    }
  }
  assert.ok(checked > 5000);
});

test('every fragment is an id on the page it leads to', () => {
  const ids = new Map(pages.map(({ path, html }) => [path, new Set(attributeValues(html, 'id'))]));
  let checked = 0;
  for (const page of pages) {
    for (const { pathname, hash } of internalLinks(page)) {
      if (hash === '' || pathname.startsWith(EMBED_PATH)) continue; // frames have looks
      checked++;
      assert.ok(ids.get(pathname)?.has(hash.slice(1)), `${page.path} links to ${pathname}${hash}`);
    }
  }
  assert.ok(checked > 1000);
});

test('every page can be reached from the first one', () => {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const reached = new Set(['/', '/404.html']);
  for (const path of reached) {
    for (const { pathname } of internalLinks(byPath.get(path)!)) {
      if (byPath.has(pathname)) reached.add(pathname);
    }
  }
  const unreached = [...byPath.keys()].filter((path) => !reached.has(path));
  assert.deepEqual(unreached, []);
});

test('the pages keep the promises of the site, and so do searches', async () => {
  const { reviews } = await readDataset(client);
  const app = await sampleApp();
  // Pages of reviews that the sidecar renders have the bytes of files (review-pages.test.ts).
  const queries = ['', '?max_rating=2', '?rating=5&has_text=true', '?query=zzzz', '?since=x'];
  const searches: { path: string; html: string }[] = [];
  // One after the other: while the code of the pages is loaded, others would wait too long.
  for (const path of queries.map((query) => `/search/${query}`)) {
    searches.push({ path, html: await (await app.request(path)).text() });
  }
  const all = [...pages, ...searches];
  assert.deepEqual(checkHonesty(all, reviews), []);
  for (const { path, html } of all) {
    assert.match(
      visibleText(html),
      /any reply from the business\. Of 373 known reviews, 18 are left out \. .*No cookies/,
      path,
    );
  }
});
