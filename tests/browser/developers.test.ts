import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/site-browser.ts';

test('a link to a schema opens it', async () => {
  await using opened = await openPage('/developers/reviews/', { javaScriptEnabled: false });
  const { page } = opened;
  assert.equal(await page.locator('.copy').count(), 0);
  await page.locator('#getReviewsSince summary').click();
  await page.locator('#getReviewsSince a', { hasText: 'SinceResult' }).first().click();
  await page.locator('#schema-SinceResult').waitFor();
  await page.locator('#schema-SinceResult a', { hasText: 'Review' }).first().click();
  await page.locator('#schema-Review').waitFor();
});

test('code is copied with a press, and its contents stay beside it', async () => {
  await using opened = await openPage('/developers/', {
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1280, height: 900 },
  });
  const { page } = opened;
  const figure = page.locator('figure.code:not(.answer)').first();
  await figure.locator('.copy').click();
  await figure.locator('.copy', { hasText: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await figure.locator('code').textContent());
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  assert.ok((await page.locator('nav.contents').boundingBox())!.y >= 0);
});

test('on a phone a name of code in a table breaks between its words', async () => {
  await using opened = await openPage('/developers/mcp/', {
    viewport: { width: 390, height: 900 },
  });
  const broken = await opened.page.locator('.fields code').evaluateAll((names) =>
    names.flatMap(({ childNodes }) =>
      [...childNodes].filter((words) => {
        const range = document.createRange();
        range.selectNode(words);
        return words.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1;
      }),
    ),
  );
  assert.ok((await opened.page.locator('.fields wbr').count()) > 5);
  assert.deepEqual(broken, []);
});
