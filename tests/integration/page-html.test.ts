import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ARCHIVE_PATH,
  DEVELOPERS_PATH,
  developersPath,
  INSIGHTS_PAGE_PATH,
  METHOD_CHECK_PATH,
  METHOD_PATH,
} from '../../src/paths.ts';
import { NO_LICENSE } from '../../src/schema/license.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { elements, textOf } from '../support/html.ts';
import { pageOfEachTemplate, readManifest, readPages, visibleText } from '../support/pages.ts';
import { htmlErrors } from '../support/validate-html.ts';

const client = await sampleEdition();
const pages = await readPages(client);
const pageAt = (path: string): string => pages.find((page) => page.path === path)!.html;

for (const { path, html } of await pageOfEachTemplate(client)) {
  test(`${path} is valid HTML`, async () => assert.deepEqual(await htmlErrors(html), []));
}

// RFC 6928: ten segments are sent before the first acknowledgement.
test('the home page fits the first 14 KB of a connection, with its styles and its script', async () => {
  const html = pageAt('/');
  assert.match(html, /<style>/);
  const { resources } = await readManifest(client);
  const { size } = resources.find(({ path }) => path === '/')!.encodings.br!;
  assert.ok(size <= 14 * 1024, `${size} bytes`);
});

test('every link says where it leads', () => {
  let checked = 0;
  for (const { path, html } of pages) {
    for (const { attributes, inner } of elements(html, 'a')) {
      checked++;
      const name = attributes['aria-label'] ?? textOf(inner).trim();
      assert.doesNotMatch(name, /^(|more|read more|here|click here|this|link)$/i, path);
    }
  }
  assert.ok(checked > 5000, String(checked));
});

/** Scripts of pages, which are files of the site, or in the page too; every other page has none. */
const SCRIPTS: Record<string, RegExp> = {
  '/': /^<script>,<script src="\/now\.js" defer>$/,
  [ARCHIVE_PATH]:
    /^<script src="\/assistant\.js" data-mcp="\/mcp" defer>,<script src="\/search\.js" defer>$/,
  [METHOD_CHECK_PATH]: /^<script type="module" src="\/_astro\/[\w.-]+\.js">$/,
  [developersPath('Embed')]: /^<script src="\/snippet\.js" defer>,<script src="\/copy\.js" defer>$/,
};
const COPY = /^<script src="\/copy\.js" defer>$/;

test('no page has a script but those that are known', () => {
  for (const { path, html } of pages) {
    const scripts = html.match(/<script(?! type="application\/ld\+json")[^>]*>/g) ?? [];
    const guide = path.startsWith(DEVELOPERS_PATH) ? COPY : /^$/;
    assert.match(scripts.join(), SCRIPTS[path] ?? guide, path);
  }
});

test('stars are no reader of words', () => {
  const html = pageAt(INSIGHTS_PAGE_PATH);
  const text = visibleText(html);
  assert.match(text, /45 count by their stars only\. 310 reviews .* were read by local-rules /);
  assert.doesNotMatch(text, /read by stars/);
});

test('every page has one title, one description and one first heading; no two pages share them', () => {
  for (const pattern of [
    /<title>([^<]+)<\/title>\s*<meta name="desc/,
    /<meta name="description" content="([^"]+)"/,
  ]) {
    const found = pages.map(({ path, html }) => pattern.exec(html)?.[1] ?? `none on ${path}`);
    assert.deepEqual(found, [...new Set(found)]);
    assert.ok(!found.some((text) => text.startsWith('none on')));
  }
  for (const { path, html } of pages) assert.equal(html.match(/<h1[ >]/g)?.length, 1, path);
});

test('every page but 404 says where it lies, and has a picture for previews', async () => {
  for (const { path, html } of pages) {
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];
    if (path === '/404.html') assert.equal(canonical, undefined);
    else assert.equal(new URL(canonical!).pathname, path);
    const meta = (name: string) =>
      new RegExp(`<meta property="og:image${name}" content="([^"]+)"`).exec(html)?.[1] ?? '';
    const picture = await readFile(join(client, new URL(meta('')).pathname));
    const size = [meta(':width'), meta(':height')].map(Number);
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], size, path);
    assert.ok(size[0]! >= 600 && size[1]! >= 315, path);
    assert.match(meta(':alt'), /\S/, path);
  }
});

test('the footer of every page states under which terms the data may be used', () => {
  const { terms } = NO_LICENSE;
  for (const { path, html } of pages) {
    const [footer = ''] = /<footer.*<\/footer>/s.exec(html) ?? [];
    assert.ok(footer.includes(`<a href="${METHOD_PATH}#license">${terms}</a>`), path);
  }
});

test('texts of people have their own language and direction', async () => {
  const { reviews } = await readDataset(client);
  for (const { path, html } of pages) {
    const quotes = [...elements(html, 'blockquote'), ...elements(html, 'q')];
    const texts = elements(html, 'p').filter(({ attributes }) => attributes.class === 'text');
    for (const { attributes, inner } of [...quotes, ...texts]) {
      assert.ok(attributes.lang && attributes.dir === 'auto', `${path}: ${inner}`);
    }
  }
  const spanish = reviews.find((review) => review.language === 'es' && review.owner_reply)!;
  const html = pageAt(`/reviews/${spanish.id}/`);
  const [, reply] = html.split('class="reply"');
  assert.equal(elements(reply!, 'p')[1]!.attributes.lang, 'es');
});

test('words do not run together at links and buttons', () => {
  const html = pageAt('/');
  const call = elements(html, 'a').find(({ attributes }) => attributes.href?.startsWith('tel:'));
  assert.match(textOf(call!.inner), /^Call \+1/);
  for (const { path, html } of pages) {
    const own = html.replaceAll(/<(pre|svg|script)\b.*?<\/\1>/gs, '');
    assert.doesNotMatch(own, /[a-z0-9,.;:)]<a[ >]|<\/a>[A-Za-z0-9(]/, path);
  }
});

test('the hours can be read without a script', () => {
  const html = pageAt('/');
  assert.match(visibleText(html), / Opening hours Monday to Friday .* Sunday Closed /);
});

test('an average has two decimals wherever it is written', () => {
  for (const { path, html } of pages) {
    assert.doesNotMatch(visibleText(html), /\b[1-5](?:\.\d)? (?:of|\/) 5\b(?! stars)/, path);
  }
});

test('links to the evidence tell reviews of one name apart, by day and stars', () => {
  const html = pageAt('/faq/');
  const lists = html.match(/<ul class="evidence">.*?<\/ul>/gs)!;
  const links = lists.flatMap((list) => list.match(/<li>.*?<\/li>/gs)!).map(visibleText);
  assert.ok(links.length > 10);
  for (const link of links) assert.match(link, /\S.*, \w+ \d+, \d{4}.* [1-5] stars?/);
});

test('the policy counts what was left out and removed, and names an address to write to', () => {
  const policy = pageAt('/policy/');
  const text = visibleText(policy);
  assert.match(text, /355 of 373 known reviews are published/);
  assert.match(text, /Removed because Reviews/);
  assert.match(text, /nothing here states whether they were asked for/);
  assert.match(policy, /href="mailto:hello@harborandpine\.example"/);
});

test('every page leads to the policy, and each review to its last section', () => {
  for (const { path, html } of pages) assert.ok(html.includes('href="/policy/"'), path);
  const review = pages.find(({ path }) => /^\/reviews\/\w{26}\/$/.test(path))!;
  assert.match(review.html, /href="\/policy\/#complaints"[^>]*>Report this review/);
});
