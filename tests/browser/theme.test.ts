import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { checkViews, openPage } from '../support/site-browser.ts';
import { BASE, bistroEdition } from '../support/bistro-edition.ts';

// The pages of a business with a theme of its own.

process.env.TEST_EDITION = (await bistroEdition()).client;

for (const path of [`${BASE}/`, `${BASE}/search/`]) {
  test(`${path} has the accent, the letters and the logo of the theme, and can be read`, async () => {
    await checkViews(path);
    await using opened = await openPage(path, { colorScheme: 'light' });
    const { page } = opened;
    const colorOfLinks = () =>
      page
        .locator('footer a')
        .first()
        .evaluate((link) => getComputedStyle(link).color);
    assert.equal(await colorOfLinks(), 'rgb(176, 0, 32)');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await colorOfLinks(), 'rgb(230, 173, 184)');
    const heading = page.locator('h1');
    assert.match(await heading.evaluate((h1) => getComputedStyle(h1).fontFamily), /^"?Source Sans/);
    assert.equal(await page.locator('link[rel="preload"]').count(), 1);
    const logo = page.locator('header.site img');
    assert.equal(await logo.getAttribute('src'), `${BASE}/logo.svg`);
    assert.ok(await logo.evaluate((img: HTMLImageElement) => img.naturalWidth > 0));
    assert.match(await textOf(page, `${BASE}/favicon.svg`), /<image[^>]*data:image\/svg\+xml/);
    const { width, height } = (await logo.boundingBox())!;
    assert.deepEqual([width, height], [40, 40]);
  });
}

test('the cover leaves name and rating on the first screen of a phone, and shifts nothing', async () => {
  const viewport = { width: 390, height: 844 };
  await using opened = await openPage(`${BASE}/`, { viewport, deviceScaleFactor: 2 });
  const { page } = opened;
  const cover = page.getByRole('img', { name: 'The dining room' });
  const loaded = await cover.evaluate(async (img: HTMLImageElement) => {
    await img.decode();
    const shifts = new PerformanceObserver(() => {});
    shifts.observe({ type: 'layout-shift', buffered: true });
    return { file: img.currentSrc, shifts: shifts.takeRecords().length };
  });
  assert.match(loaded.file, /\/our\/reviews\/_astro\/cover-960\.[\w-]+\.webp$/);
  assert.equal(loaded.shifts, 0);
  for (const selector of ['.cover', 'h1', '.score']) {
    const { y, height } = (await page.locator(selector).first().boundingBox())!;
    assert.ok(y + height < viewport.height, selector);
  }
});

function textOf(page: Page, path: string): Promise<string> {
  return page.evaluate(async (path) => (await fetch(path)).text(), path);
}
