import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { INSIGHTS_PATH, METHOD_CHECK_PATH, METHOD_PATH } from '../../src/paths.ts';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { openAlone, openPage } from '../support/site-browser.ts';

test('one click on /method/ reads every review again and finds everything equal', async () => {
  await using opened = await openPage(METHOD_PATH);
  const { page, errors } = opened;
  assert.equal(await page.locator('script').count(), 0, 'no script before the click');
  await page.getByRole('link', { name: 'Recompute everything in this browser' }).click();
  const equal = /^[\d,]{5,} counts, labels and quotes of 355 reviews recomputed: all equal\.$/;
  assert.match(await resultOf(page), equal);
  assert.equal(await page.locator('#differences li').count(), 0);
  assert.deepEqual(errors, []);
});

test('a falsified count is named by its path', async () => {
  await using opened = await openAlone(METHOD_PATH);
  const { page } = opened;
  await page.context().route(`**${INSIGHTS_PATH}`, async (route) => {
    const response = await route.fetch();
    const insights = (await response.json()) as InsightsDataset;
    insights.aspects.find(({ id }) => id === 'punctuality')!.positive_count++;
    await route.fulfill({ response, json: insights });
  });
  await page.getByRole('link', { name: 'Recompute everything in this browser' }).click();
  assert.match(await resultOf(page), /recomputed: 1 differ/);
  const [difference, ...others] = await page.locator('#differences li').allInnerTexts();
  assert.match(difference!, /^aspects\.punctuality\.positive_count: says \d+, derived \d+$/);
  assert.deepEqual(others, []);
});

test('an unreadable document gets a sentence that says so', async () => {
  await using opened = await openAlone('/404.html');
  const { page } = opened;
  await page.context().route(`**${INSIGHTS_PATH}`, (route) => route.fulfill({ status: 503 }));
  await page.goto(new URL(METHOD_CHECK_PATH, page.url()).href);
  assert.match(await resultOf(page), /could not be checked: \/insights\.json answered 503/);
});

/** Returns what the page says once it has read everything. */
function resultOf(page: Page): Promise<string> {
  return page.getByRole('status').filter({ hasNotText: 'Reading' }).innerText();
}
