import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sampleEdition, readDataset } from '../support/edition.ts';
import { readManifest } from '../support/pages.ts';
import { serve } from '../support/serve.ts';
import { axeFindings, openAlone, openPage, sidewaysScroll } from '../support/site-browser.ts';

// The reviews on a site of somebody else, whose policy allows nothing but them.

const { aggregate_rating: rating, coverage, reviews } = await readDataset(await sampleEdition());
const all = `${rating.review_count} reviews`;
const leftOut = `${coverage.known - coverage.published} of ${coverage.known} known reviews left out`;
const critical = reviews.find((review) => review.rating <= 2)!;

/** Serves a page of another origin that embeds a site in every way. */
async function foreignSite(context: TestContext, site: string): Promise<string> {
  const policy = ['script-src', 'connect-src', 'img-src', 'frame-src']
    .map((directive) => `${directive} ${site}`)
    .join('; ');
  const html = `<!doctype html><html lang="en"><title>Foreign</title><main><h1>Foreign</h1>
<script type="module" src="${site}/embed.js"></script>
<reviews-of src="${site}"><a href="${site}/">the reviews</a></reviews-of>
<img src="${site}/badge.svg" alt="the rating">
<iframe src="${site}/embed/#dark" title="the reviews in a frame"></iframe></main>`;
  return serve(context, (_, response) => {
    response.setHeader('content-security-policy', `default-src 'none'; ${policy}`);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
}

test('a foreign site with a strict policy shows all of it, critical reviews too', async (context) => {
  await using opened = await openAlone('/404.html');
  const { page } = opened;
  const site = new URL(page.url()).origin;
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log') blocked.push(message.text());
  });
  await page.goto(await foreignSite(context, site), { waitUntil: 'networkidle' });
  const element = page.locator('reviews-of');
  await element.getByText(all).waitFor();
  assert.ok(await element.getByText(leftOut).isVisible());
  const link = element.getByText('newest critical review');
  assert.equal(await link.getAttribute('href'), critical.url);
  assert.ok(
    await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0),
  );
  const frame = page.frameLocator('iframe');
  assert.ok(await frame.getByText(leftOut.split(' known')[0]!).isVisible());
  const scheme = await frame
    .locator('html')
    .evaluate((html) => getComputedStyle(html).getPropertyValue('color-scheme'));
  assert.equal(scheme, 'dark');
  assert.deepEqual(blocked, []);
  assert.deepEqual(await axeFindings(page), []);
});

test('without scripts the frame says the same, and the element shows its content', async (context) => {
  await using opened = await openAlone('/404.html', { javaScriptEnabled: false });
  const { page } = opened;
  await page.goto(await foreignSite(context, new URL(page.url()).origin));
  assert.ok(await page.getByText('the reviews', { exact: true }).isVisible());
  await page.frameLocator('iframe').getByText(leftOut.split(' known')[0]!).waitFor();
});

test('an element whose site cannot be reached keeps its content', async () => {
  await using opened = await openAlone('/404.html');
  const { page } = opened;
  await page.route('**/summary.json', (route) => route.fulfill({ status: 503 }));
  const warned = page.waitForEvent('pageerror', {
    predicate: ({ message }) => message.includes('503'),
  });
  await page.setContent(
    '<script type="module" src="/embed.js"></script><reviews-of src="/"><b>inside</b></reviews-of>',
  );
  await warned;
  assert.ok(await page.getByText('inside').isVisible());
});

test('frames fit into 200, 320 and 900 pixels', async () => {
  for (const path of ['/embed/', '/embed/newest/', '/embed/badge/']) {
    await using opened = await openPage(path);
    const { page } = opened;
    for (const width of [200, 900, 320]) {
      await page.setViewportSize({ width, height: 600 });
      assert.equal(await sidewaysScroll(page), 0, `${path} at ${width}`);
    }
    assert.deepEqual(await axeFindings(page), [], path);
  }
});

test('the guide writes the code of the frame that is chosen, and shows it', async () => {
  await using opened = await openPage('/developers/embed/');
  const { page } = opened;
  await page.getByLabel('Light or dark').selectOption('dark');
  await page.getByLabel('Shows').selectOption('badge/');
  await page.locator('.snippet-code code', { hasText: '/embed/badge/#dark' }).waitFor();
  await page.frameLocator('.snippet-frame').getByText(leftOut.split(' known')[0]!).waitFor();
  assert.deepEqual(opened.errors, []);
});

test('embeds have the color scheme of a light page on a dark device, and the snippet reserves their height', async (context) => {
  await using opened = await openAlone('/developers/embed/', { colorScheme: 'dark' });
  const { page } = opened;
  const site = new URL(page.url()).origin;
  const codes = await page.locator('figure.code code').allTextContents();
  const snippets = codes.filter((code) => /^<(iframe|script)/.test(code));
  assert.equal(snippets.length, 2);
  const { base_url: baseUrl } = await readManifest(await sampleEdition());
  const html = snippets.join('\n').replaceAll(baseUrl, site);
  const foreign = await serve(context, (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Shop</title>${html}<p id="after">after</p>`);
  });
  await page.setViewportSize({ width: 390, height: 900 });
  await page.route('**/summary.json', async (route) => {
    await page.evaluate(() => {
      Object.assign(globalThis, {
        before: document.querySelector('#after')!.getBoundingClientRect().y,
      });
    });
    await route.continue();
  });
  await page.goto(foreign);
  await page.locator('reviews-of section').waitFor();
  const [before, after] = await page.evaluate(() => [
    (globalThis as unknown as { before: number }).before,
    document.querySelector('#after')!.getBoundingClientRect().y,
  ]);
  assert.equal(after, before);
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  const white = 'rgb(255, 255, 255)';
  assert.equal(await page.locator('reviews-of section').evaluate(background), white);
  const frame = page.frameLocator('iframe');
  const scheme = await frame.locator('html').evaluate((html) => getComputedStyle(html).colorScheme);
  assert.equal(scheme, 'light');
});
