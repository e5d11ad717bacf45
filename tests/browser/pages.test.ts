import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright';
import type { RunningServer } from '../../sidecar/server.ts';
import { launchChromium } from '../support/chromium.ts';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { pageOfEachTemplate } from '../support/pages.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';
import { openWatched, sidewaysScroll, VIEWS, type View } from '../support/watched-page.ts';

const client = await sampleEdition();
let browser: Browser;
let server: RunningServer;

before(async () => {
  server = await listenOnFreePort(await sampleApp());
  browser = await launchChromium();
});

after(async () => {
  await browser.close();
  await server.close();
});

for (const { path } of await pageOfEachTemplate(client)) {
  for (const view of VIEWS) {
    const name = `${path} at ${view.width} pixels, ${view.colorScheme}`;
    test(`${name}: no fault, nothing foreign, no sideways scroll`, async () => {
      await using opened = await open(path, view);
      assert.deepEqual(opened.faults, []);
      assert.equal(await sidewaysScroll(opened.page), 0);
    });
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${path}, ${colorScheme}: axe finds no violation`, async () => {
      await using opened = await open(path, { width: 1280, colorScheme });
      const { violations } = await new AxeBuilder({ page: opened.page }).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    });
  }
}

test('a permalink lands on its review', async () => {
  const { reviews } = await readDataset(client);
  const { id, url } = reviews.at(-1)!;
  const { pathname, hash } = new URL(url);
  await using opened = await open(pathname + hash);
  const article = opened.page.locator(`article[id="${id}"]`);
  assert.ok(await article.evaluate((element) => element.matches(':target')));
  assert.ok(await article.evaluate((element) => element.getBoundingClientRect().top < innerHeight));
});

test('a review on the first page leads to its permalink', async () => {
  await using opened = await open('/');
  await opened.page.locator('article.review header a').first().click();
  await opened.page.waitForURL(/\/reviews\/\d{4}-\d\d\/#/);
  assert.ok(await opened.page.locator('article:target').isVisible());
});

test('the first key press offers to skip to the content, the second goes there', async () => {
  await using opened = await open('/');
  const { page } = opened;
  await page.keyboard.press('Tab');
  const skip = page.locator(':focus');
  assert.match((await skip.textContent())!, /Skip to content/);
  assert.ok((await skip.boundingBox())!.x >= 0, 'cannot be seen');
  await page.keyboard.press('Enter');
  assert.equal(new URL(page.url()).hash, '#main');
});

test('the two fonts come from the site, and the text is set in them', async () => {
  await using opened = await open('/');
  const loaded = await opened.page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replaceAll('"', ''));
  });
  assert.deepEqual([...new Set(loaded)].sort(), ['Source Sans', 'Source Serif']);
});

function open(path: string, view?: View) {
  return openWatched(browser, new URL(path, server.url).href, view);
}
