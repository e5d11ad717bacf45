import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, BrowserContextOptions } from 'playwright';
import { searchOf } from '../../src/browser/search/answer-in-worker.ts';
import { policyOfAll } from '../../src/http.ts';
import { readDataset, readJson, readPublished } from '../support/edition.ts';
import { filesOnlyEdition } from '../support/files-only.ts';
import { linksIn, readManifest, readPages } from '../support/pages.ts';
import { Questions } from '../support/questions.ts';
import { Random } from '../support/random.ts';
import { newContext, sidewaysScroll, VIEWS } from '../support/site-browser.ts';
import { appOf } from '../support/targets.ts';

/** Renders a page each; `QUESTIONS=3000` is thorough. */
const QUESTIONS = Number(process.env.QUESTIONS ?? 30);

const { client } = await filesOnlyEdition();
const manifest = await readManifest(client);
const files = new Set(manifest.resources.map(({ path }) => path));

test('without a sidecar, every link of every page, and the address of every review, leads to a file', async () => {
  let checked = 0;
  for (const { html, path } of await readPages(client)) {
    for (const value of linksIn(html)) {
      const url = new URL(value, manifest.base_url + path);
      if (url.origin !== manifest.base_url || url.pathname === '/edition.json') continue;
      checked++;
      assert.ok(files.has(url.pathname), `${path} links to ${value}`);
    }
  }
  assert.ok(checked > 5000);
  for (const { url } of (await readDataset(client)).reviews)
    assert.ok(files.has(new URL(url).pathname), url);
});

test('without a sidecar, each listing of a day is also a .json file, which openapi.json names', async () => {
  const day = (path: string) => path.startsWith('/api/reviews/since/') && !path.endsWith('.json');
  const days = manifest.resources.filter(({ path }) => day(path));
  assert.ok(days.length > 100);
  for (const { path, etag } of days) {
    const named = manifest.resources.find((each) => each.path === `${path}.json`);
    assert.equal(named?.etag, etag, path);
  }
  const { paths } = await readJson<{ paths: object }>(client, 'openapi.json');
  assert.ok('/api/reviews/since/{date}.json' in paths);
  assert.ok(!('/api/reviews/since/{date}' in paths));
});

const ONLY_A_SIDECAR = /\bMCP\b|Mcp-|"\/mcp|websub\/hub|\/api\/reviews\/(search|count)/;

test('without a sidecar, no document or page names what only a sidecar serves', async () => {
  const texts = manifest.resources.filter(
    ({ path, type }) => /html|json|xml|plain/.test(type) && !path.startsWith('/schemas/'),
  );
  assert.ok(texts.length > 100);
  for (const { file, headers } of texts) {
    const text = await readFile(join(client, file), 'utf8');
    assert.doesNotMatch(text, ONLY_A_SIDECAR, file);
    assert.doesNotMatch(JSON.stringify(manifest.header_sets[headers]), /rel=..hub/, file);
  }
});

test(`${QUESTIONS} random searches in a browser give the pages that a sidecar gives`, async () => {
  const { base_url: baseUrl, edition, names, site } = manifest;
  const { renderHtml } = await import(pathToFileURL(join(client, '../server/entry.mjs')).href);
  const search = searchOf(
    { baseUrl, edition, names, words: site!, renderHtml },
    await readFile(join(client, 'reviews.json')),
    await readFile(join(client, 'review-labels.json')),
  );
  const app = await appOf(client);
  const questions = new Questions(new Random(34), await readPublished(client));
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const given = Object.entries(questions.search()).map(([name, value]) => [name, String(value)]);
    const query = `?${new URLSearchParams(given)}`;
    const answer = await app.request(`/search/${query}`);
    assert.equal(await search(query), await answer.text(), query);
  }
});

const ORIGIN = 'https://files.example';

/** Returns a context in which the files of the build are served as they are, with their headers. */
async function openFiles(options: BrowserContextOptions) {
  const context = await newContext(options);
  await context.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const resource = manifest.resources.find(({ path }) => path === pathname);
    if (!resource) return route.fulfill({ status: 404 });
    const headers = { ...manifest.header_sets[resource.headers], 'content-type': resource.type };
    return route.fulfill({ path: join(client, resource.file), headers });
  });
  return context;
}

/** Lets reviews.json arrive only after the function that is returned was called. */
async function holdReviews(context: BrowserContext): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await context.route('**/reviews.json?*', async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
}

test('while the reviews load, the words asked are in the field and nothing is shown as found', async () => {
  await using context = await openFiles({});
  const page = await context.newPage();
  const release = await holdReviews(context);
  await page.goto(`${ORIGIN}/search/?query=water&rating=5`);
  const field = page.getByLabel('Words in reviews');
  assert.equal(await field.inputValue(), 'water');
  assert.equal(await page.locator('#results').isVisible(), false);
  await page.getByText('Loading the reviews').waitFor();
  assert.equal(await page.locator('#soon').count(), 0, 'a filter is not known of what is carried');
  await field.fill('water heater');
  release();
  await page.locator('#results mark').first().waitFor();
  assert.equal(await field.inputValue(), 'water heater');
  assert.equal(await page.locator('input[name=rating]').inputValue(), '5');
});

test('a search of words is answered from the newest reviews before the others are there', async () => {
  await using context = await openFiles({});
  const page = await context.newPage();
  const release = await holdReviews(context);
  await page.goto(`${ORIGIN}/search/?query=${encodeURIComponent('WATER heáter')}`);
  const heading = page.locator('#soon h2');
  const [, soon] = /^Among the newest 200: (\d+)$/.exec((await heading.textContent())!)!;
  assert.ok(Number(soon) > 0);
  assert.match((await page.locator('#soon .text').first().textContent())!, /water/i);
  release();
  await page.locator('#results article').first().waitFor();
  assert.equal(await page.locator('#soon').count(), 0);
  const all = Number.parseInt((await page.locator('#results h2').textContent())!, 10);
  assert.ok(all >= Number(soon), `${all} of ${soon}`);
});

test('a search of words needs nothing but its page to be answered, under the policy of the site', async () => {
  await using context = await openFiles({});
  const page = await context.newPage();
  const never = Promise.withResolvers<void>();
  await context.route(
    ({ pathname }) => pathname !== '/search/',
    () => never.promise,
  );
  await page.goto(`${ORIGIN}/search/?query=water`, { waitUntil: 'commit' });
  const heading = page.locator('#soon h2');
  await heading.filter({ hasText: 'Among the newest 200: ' }).waitFor();
  assert.match(await heading.evaluate((h2) => getComputedStyle(h2).fontFamily), /Source Serif/);
  const [, headers] = policyIn(await readFile(join(client, '_headers'), 'utf8'));
  assert.ok(headers!.includes("'sha256-"));
  const { resources, header_sets: sets } = manifest;
  const { headers: set } = resources.find(({ path }) => path === '/search/')!;
  assert.equal(sets[set]!['content-security-policy'], `${headers}; frame-ancestors 'none'`);
});

test('under the policy of an earlier build, the search has its styles and script from files', async () => {
  await using context = await openFiles({});
  const page = await context.newPage();
  await context.route(`${ORIGIN}/search/?query=water`, (route) =>
    route.fulfill({
      path: join(client, 'search/index.html'),
      headers: { 'content-type': 'text/html', 'content-security-policy': policyOfAll() },
    }),
  );
  await page.goto(`${ORIGIN}/search/?query=water`);
  await page.locator('#results mark').first().waitFor();
  assert.match(await page.locator('h1').evaluate((h1) => getComputedStyle(h1).fontFamily), /Serif/);
});

/** Returns the policy of all pages in `_headers`. */
function policyIn(rules: string): RegExpExecArray {
  return /^  content-security-policy: (.*)$/m.exec(rules)!;
}

test('a search that fails says so, shows nothing as found, and can be tried again', async () => {
  await using context = await openFiles({});
  const page = await context.newPage();
  let asked = 0;
  await context.route('**/reviews.json?*', (route) =>
    asked++ === 0 ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await page.goto(`${ORIGIN}/search/?query=water`);
  await page.getByText('This search failed: /reviews.json answered 503.').waitFor();
  assert.equal(await page.locator('#results').isVisible(), false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.locator('#results mark').first().waitFor();
  assert.equal(await page.getByText('This search failed').count(), 0);
});

test('the search runs in a browser on a server of files', async () => {
  for (const { viewport, colorScheme } of VIEWS) {
    await using context = await openFiles({ viewport, colorScheme });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${ORIGIN}/search/`);
    const heading = page.locator('#results h2');
    const all = await heading.textContent();
    await page.getByLabel('Words in reviews').fill('water');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/query=water/);
    assert.notEqual(await heading.textContent(), all);
    const found = await heading.textContent();
    const fold = page.getByText('Filter the reviews');
    if (await fold.isVisible()) await fold.click();
    await page.getByRole('link', { name: /^5 stars/ }).click();
    await page.waitForURL(/query=water.*rating=5/);
    assert.notEqual(await heading.textContent(), found);
    await page.goBack();
    await page.locator('#results h2', { hasText: found! }).waitFor();
    assert.equal(await page.getByLabel('Words in reviews').inputValue(), 'water');
    assert.equal(await sidewaysScroll(page), 0);
    assert.deepEqual(errors, []);
  }
  await using plain = await openFiles({ javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(`${ORIGIN}/`);
  await page.locator('a[href^="/search/rating-"]').first().click();
  await page.waitForURL(/\/search\/rating-\d\//);
  assert.match((await page.locator('#results h2').textContent())!, /^\d+ reviews?$/);
  await page.goto(`${ORIGIN}/search/`);
  assert.ok(await page.locator('noscript p').isVisible());
});
