import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteBrowser } from '../support/site-browser.ts';

const site = siteBrowser();

test('a link to a schema opens it', async () => {
  await using opened = await site.open('/developers/', { javaScriptEnabled: false });
  const { page } = opened;
  assert.equal(await page.locator('#schema-Review').isVisible(), false);
  await page.locator('#getReviewsSince a', { hasText: 'SinceResult' }).first().click();
  await page.locator('#schema-SinceResult').waitFor();
  await page.locator('#schema-SinceResult a', { hasText: 'Review' }).first().click();
  await page.locator('#schema-Review').waitFor();
});
