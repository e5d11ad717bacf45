import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { readDataset, sampleEdition } from '../support/edition.ts';
import { sidewaysScroll, openPage, VIEWS } from '../support/site-browser.ts';

for (const view of VIEWS) {
  const { viewport, colorScheme } = view;
  test(`the feed can be read at ${viewport.width} pixels, ${colorScheme}`, async () => {
    await using opened = await openPage('/feed.xml', view);
    const { page, errors } = opened;
    assert.equal(await page.evaluate(() => document.documentElement.localName), 'feed');
    assert.match(await shown(page, 'feed > title'), /^Reviews of /);
    assert.match(await shown(page, 'entry > title'), /^★/);
    assert.ok((await shown(page, 'entry > summary')).length > 10);
    const line = await page.evaluate(
      () => getComputedStyle(document.documentElement, '::before').content,
    );
    assert.match(line, /This is a feed: copy its address into a feed reader/);
    assert.equal(await page.locator('entry > content').first().isVisible(), false);
    const { color, background } = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return { color: style.color, background: style.backgroundColor };
    });
    assert.notEqual(color, background);
    assert.equal(await sidewaysScroll(page), 0, 'scrolls sideways');
    assert.deepEqual(errors, []);
  });
}

test('an entry leads to its review, and names its day', async () => {
  await using opened = await openPage('/feed.xml');
  const { page } = opened;
  const link = page.locator('entry > a').first();
  assert.match((await link.textContent())!, /^[A-Z][a-z]+ \d+, \d{4}$/);
  const font = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, status }) => `${family} ${status}`);
  });
  assert.deepEqual(font, ['Source Sans loaded']);
  // Links of a feed are absolute, so here they lead out of the server of this test.
  const { url } = (await readDataset(await sampleEdition())).reviews[0]!;
  await page.route(url, (route) => route.fulfill({ body: 'the review' }));
  await link.click();
  await page.waitForURL(url);
});

/** Returns the text of the first matching element, which must be visible. */
async function shown(page: Page, selector: string): Promise<string> {
  const element = page.locator(selector).first();
  assert.ok(await element.isVisible(), selector);
  return (await element.textContent()) ?? '';
}
