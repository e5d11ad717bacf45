import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MCP_TOOLS } from '../../src/schema/mcp-catalog.ts';
import type { CountResult } from '../../src/schema/count.ts';
import { checkViews, openAlone, openPage } from '../support/site-browser.ts';

const PATHS = [
  '/search/?query=water&min_rating=4',
  '/search/?rating=9&since=2026-02-30',
  '/search/?query=water+zebra&rating=1',
];

for (const path of PATHS) {
  test(`${path} is sound on a phone in light and a desktop in dark`, () =>
    checkViews(path, (error) => /^400: |status of 400/.test(error)));
}

test('can be used with the keyboard alone', async () => {
  await using opened = await openPage('/search/');
  const { page, errors } = opened;
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
  const reached: string[] = [];
  for (let presses = 0; presses < 40 && reached.at(-1) !== 'submit'; presses++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => {
        const { name, type } = document.activeElement as HTMLInputElement;
        return name || type;
      }),
    );
    if (reached.at(-1) === 'query') await page.keyboard.type('water');
  }
  const fields = ['query', 'since', 'until', 'in', 'sort'];
  assert.deepEqual(
    [...new Set(reached)].filter((name) => fields.includes(name)),
    fields,
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?query=water$/);
  await page.waitForFunction(() => document.activeElement?.id === 'results-title');
  assert.match(await page.locator('#results-title').innerText(), /^\d+ reviews$/);
  assert.deepEqual(errors, []);
});

test('the script refines results and filters in place, keeps the focus, says how many match, and Back undoes it', async () => {
  await using opened = await openPage('/search/?query=water');
  const { page, errors } = opened;
  const before = await page.locator('#results h2').innerText();
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await page.getByLabel('From').focus();
  await page.getByLabel('From').fill('2026-01-01');
  await page.waitForURL(/since=2026-01-01/);
  await page.waitForFunction(
    (text) => document.querySelector('#results h2')?.textContent !== text,
    before,
  );
  assert.equal(await page.evaluate(() => 'sameDocument' in globalThis), true);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'since');
  const title = await page.locator('#results h2').innerText();
  assert.equal(await page.getByRole('status').textContent(), title);
  assert.ok((await page.locator('article mark').count()) > 0);
  const fiveStars = page.getByRole('link', { name: /^5 stars/ });
  assert.match((await fiveStars.getAttribute('href'))!, /since=2026-01-01/);
  await page.goBack();
  await page.locator('#results h2', { hasText: before }).waitFor();
  assert.equal(await page.getByLabel('From').inputValue(), '');
  assert.deepEqual(errors, []);
});

test('a jump within the page loads nothing, and keeps the words that were typed', async () => {
  await using opened = await openPage('/search/');
  const { page } = opened;
  await page.getByLabel('Words in reviews').fill('water');
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  // Leaving the field begins a search, whose address may follow at once.
  await Promise.all([page.waitForURL(/#main$/), page.locator('.skip').press('Enter')]);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  assert.equal(await page.evaluate(() => 'sameDocument' in globalThis), true);
  assert.equal(await page.getByLabel('Words in reviews').inputValue(), 'water');
});

test('a search that the server cannot answer can be tried again', async () => {
  await using opened = await openAlone('/search/');
  const { page } = opened;
  let isDown = true;
  await page.route(/\/search\/\?query/, (route) =>
    isDown ? route.fulfill({ status: 503 }) : route.fallback(),
  );
  await page.getByLabel('Words in reviews').fill('water');
  await page.keyboard.press('Enter');
  await page.getByText('This search failed: status 503.').waitFor();
  assert.equal(await page.locator('#results').isVisible(), false);
  isDown = false;
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.locator('#results mark').first().waitFor();
});

test('the script shows an issue beside its field, and takes it away again', async () => {
  await using opened = await openPage('/search/');
  const { page } = opened;
  const field = page.getByLabel('Words in reviews');
  await field.evaluate((input: HTMLInputElement) => input.removeAttribute('maxlength'));
  await field.fill('x'.repeat(2001));
  await field.press('Enter');
  const issue = page.locator('#query-issue');
  await issue.waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'query');
  await field.fill('water');
  await field.press('Enter');
  await issue.waitFor({ state: 'detached' });
  assert.equal(await field.getAttribute('aria-invalid'), null);
  assert.ok((await page.locator('article mark').count()) > 0);
});

test('an assistant in the browser has the tools of /mcp, and calls them', async (context) => {
  await using opened = await openPage('/search/');
  const { page, errors } = opened;
  if (!(await page.evaluate(() => 'modelContext' in document))) {
    return context.skip('this browser has no WebMCP');
  }
  await page.waitForFunction(async (count) => {
    const { modelContext } = document as unknown as { modelContext: { getTools(): unknown[] } };
    return (await modelContext.getTools()).length === count;
  }, Object.keys(MCP_TOOLS).length);
  const tools = await page.webmcp.tools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(MCP_TOOLS).sort());
  const { total } = (await page.webmcp.callTool('count_reviews', { rating: 5 })) as CountResult;
  const response = await page.request.get(new URL('/api/reviews/count?rating=5', page.url()).href);
  assert.equal(total, (await response.json()).total);
  const refused = await page.webmcp.callTool('get_review', { id: 'x' });
  assert.equal((refused as { error: string }).error, 'unknown_review');
  assert.deepEqual(errors, []);
});
