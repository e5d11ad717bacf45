import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { overflow, siteBrowser, VIEWS } from '../support/site-browser.ts';

const site = siteBrowser();

for (const view of VIEWS) {
  const { viewport, colorScheme } = view;
  test(`the page for developers is sound at ${viewport.width} pixels, ${colorScheme}`, async () => {
    const { page, faults } = await site.open('/developers/', view);
    assert.equal(await overflow(page), 0, 'scrolls sideways');
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
      [],
    );
    assert.deepEqual(faults, []);
  });
}

test('a link to a schema opens it', async () => {
  const { page } = await site.open('/developers/', { javaScriptEnabled: false });
  assert.equal(await page.locator('#schema-Review').isVisible(), false);
  await page.locator('#getReviewsSince a', { hasText: 'SinceResult' }).click();
  await page.locator('#schema-SinceResult').waitFor();
  await page.locator('#schema-SinceResult a', { hasText: 'Review' }).click();
  await page.locator('#schema-Review').waitFor();
});
