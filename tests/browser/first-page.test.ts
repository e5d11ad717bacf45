import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { createApp } from '../../sidecar/app.ts';
import type { RunningServer } from '../../sidecar/server.ts';
import { launchChromium } from '../support/chromium.ts';
import { openSample, silent, temporaryFolder } from '../support/edition.ts';
import { listenOnFreePort } from '../support/targets.ts';

let browser: Browser;
let server: RunningServer;

before(async (context) => {
  const current = await openSample(await temporaryFolder(context as never));
  const app = createApp({
    edition: () => current.get(),
    logger: silent,
    now: () => performance.now(),
    searchRate: 0,
  });
  server = await listenOnFreePort(app);
  browser = await launchChromium();
});

after(async () => {
  await browser.close();
  await server.close();
});

for (const width of [390, 1280]) {
  test(`shows the rating and the newest reviews at ${width} pixels, without a fault`, async () => {
    const { page, faults } = await open('/', width);
    assert.match(await page.textContent('h1').then(String), /^Reviews of /);
    assert.equal(await page.locator('article.review').count(), 10);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, 'scrolls sideways');
    assert.deepEqual(faults, []);
    await page.close();
  });
}

test('a permalink lands on its review', async () => {
  const { page } = await open('/', 1280);
  await page.locator('article.review header a').first().click();
  await page.waitForURL(/\/reviews\/\d{4}-\d\d\/#/);
  const id = new URL(page.url()).hash.slice(1);
  assert.ok(await page.locator(`article[id="${id}"]`).isVisible());
  await page.close();
});

async function open(path: string, width: number): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) faults.push(`foreign: ${request.url()}`);
  });
  await page.goto(new URL(path, server.url).href);
  return { page, faults };
}
