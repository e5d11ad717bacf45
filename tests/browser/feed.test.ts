import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { sidewaysScroll, openPage, VIEWS } from '../support/site-browser.ts';

test('the feed can be read on a phone, and an entry shows the address of its review', async () => {
  await using opened = await openPage('/feed.xml', VIEWS[0]);
  const { page, errors } = opened;
  assert.equal(await page.evaluate(() => document.documentElement.localName), 'feed');
  assert.match(await shown(page, 'feed > title'), /^Reviews of /);
  assert.match(await shown(page, 'entry > title'), /^★/);
  assert.ok((await shown(page, 'entry > summary')).length > 10);
  assert.equal(await page.locator('entry > content').first().isVisible(), false);
  const { line, color, background, fonts } = await page.evaluate(async () => {
    await document.fonts.ready;
    const style = getComputedStyle(document.documentElement);
    return {
      line: getComputedStyle(document.documentElement, '::before').content,
      color: style.color,
      background: style.backgroundColor,
      fonts: [...document.fonts].map(({ family, status }) => `${family} ${status}`),
    };
  });
  assert.match(line, /This is a feed: copy its address into a feed reader/);
  assert.notEqual(color, background);
  assert.deepEqual(fonts, ['Source Sans loaded']);
  assert.equal(await sidewaysScroll(page), 0, 'scrolls sideways');
  assert.deepEqual(errors, []);

  const { url } = (await readDataset(await sampleEdition())).reviews[0]!;
  const address = await page
    .locator('entry > link')
    .first()
    .evaluate((link) => getComputedStyle(link, '::before').content);
  assert.equal(address, JSON.stringify(url));
});

/** Returns the text of the first matching element, which must be visible. */
async function shown(page: Page, selector: string): Promise<string> {
  const element = page.locator(selector).first();
  assert.ok(await element.isVisible(), selector);
  return (await element.textContent()) ?? '';
}
