import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright';
import { contentFolder, VALID_CONTENT } from '../support/content-folder.ts';
import { buildEdition } from '../support/edition.ts';
import { checkViews, openPage } from '../support/site-browser.ts';

// The pages of a business with a theme of its own.

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b00020"/></svg>';
const folder = await mkdtemp(join(tmpdir(), 'reviews-theme-'));
after(() => rm(folder, { recursive: true, force: true }));
process.env.TEST_EDITION = await buildThemed();

async function buildThemed(): Promise<string> {
  const business = JSON.parse(
    await readFile(join(VALID_CONTENT, 'business.json'), 'utf8'),
  ) as object;
  const theme = { accent: '#B00020', font: 'sans' };
  const themed = JSON.stringify({ ...business, logo_url: 'https://logo.invalid/a.png', theme });
  const changes = { 'business.json': themed, 'logo.svg': LOGO };
  const contentDir = await contentFolder({ after }, changes);
  const { client } = await buildEdition(join(folder, 'dist'), { CONTENT_DIR: contentDir });
  return client;
}

for (const path of ['/', '/search/']) {
  test(`${path} can be read in the accent, on a phone in light and a desktop in dark`, () =>
    checkViews(path));

  test(`${path} has the accent, the letters and the logo of the theme`, async () => {
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
    assert.equal(await logo.getAttribute('src'), '/logo.svg');
    assert.ok(await logo.evaluate((img: HTMLImageElement) => img.naturalWidth > 0));
    assert.match(await textOf(page, '/favicon.svg'), /<image[^>]*data:image\/svg\+xml/);
    const { width, height } = (await logo.boundingBox())!;
    assert.deepEqual([width, height], [40, 40]);
  });
}

function textOf(page: Page, path: string): Promise<string> {
  return page.evaluate(async (path) => (await fetch(path)).text(), path);
}
