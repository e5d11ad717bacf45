import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICY_OF_ALL } from '../../src/http.ts';
import { openAlone, openPage } from '../support/site-browser.ts';

// The home page on a phone: short, told at once, and steady.

const PHONE = { viewport: { width: 390, height: 844 } };
const MAX_SCREENS = 7;

test('on a phone rating and actions are on the first screen of less than seven', async () => {
  await using opened = await openInFonts();
  const height = await opened.page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height < MAX_SCREENS * PHONE.viewport.height, `${height} pixels`);
  for (const selector of ['h1', '.score', '.actions', '.hours']) {
    const box = (await opened.page.locator(selector).boundingBox())!;
    assert.ok(box.y + box.height < PHONE.viewport.height, selector);
  }
});

test('tells if the business is open, on its clock', async () => {
  await using opened = await openAlone('/404.html', PHONE);
  const { page } = opened;
  const said = async (time: string): Promise<string> => {
    await page.clock.setFixedTime(new Date(time));
    await page.goto(new URL('/', page.url()).href);
    const summary = page.locator('.hours summary', { hasText: / now/ });
    return ((await summary.textContent()) ?? '').replaceAll('\u00a0', ' ');
  };
  // Friday, and a Saturday that has begun in UTC but not in Maine.
  assert.equal(await said('2026-01-16T22:29:00Z'), 'Open now · today 7:30 AM – 5:30 PM');
  assert.equal(await said('2026-01-16T22:30:00Z'), 'Closed now · today 7:30 AM – 5:30 PM');
  assert.equal(await said('2026-01-17T13:00:00Z'), 'Open now · today 8:00 AM – 2:00 PM');
  assert.equal(await said('2026-01-18T15:00:00Z'), 'Closed now · closed today');
});

/** Opens the home page and waits for its fonts, which a busy machine may load too late to be used. */
async function openInFonts(): ReturnType<typeof openPage> {
  const opened = await openPage('/404.html', PHONE);
  const { page } = opened;
  await page.route(/\.css$|\/$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('font-display:optional', 'font-display:block');
    const { 'content-security-policy': _, ...headers } = response.headers();
    await route.fulfill({ headers, body });
  });
  await page.goto(new URL('/', page.url()).href);
  await page.evaluate(() => document.fonts.ready);
  return opened;
}

test('the home page is shown from itself, before anything that it loads', async () => {
  await using opened = await openAlone('/404.html', PHONE);
  const { page, errors } = opened;
  const never = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname !== '/',
    () => never.promise,
  );
  await page.goto(new URL('/', page.url()).href, { waitUntil: 'commit' });
  const summary = page.locator('.hours summary', { hasText: / now/ });
  await summary.waitFor();
  const link = page.locator('.actions .button').first();
  assert.equal(await link.evaluate((button) => getComputedStyle(button).fontWeight), '600');
  const paint = await page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const paints = new PerformanceObserver((list) => resolve(list.getEntries()[0]!.startTime));
    paints.observe({ type: 'largest-contentful-paint', buffered: true });
    return promise;
  });
  assert.ok(paint > 0);
  assert.deepEqual(errors, []);
});

test('under the policy of an earlier build, the home page has its styles and script from files', async () => {
  await using opened = await openAlone('/404.html', PHONE);
  const { page } = opened;
  await page.route(/\/$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': POLICY_OF_ALL };
    await route.fulfill({ response, headers });
  });
  await page.goto(new URL('/', page.url()).href);
  await page.locator('.hours summary', { hasText: / now/ }).waitFor();
  const link = page.locator('.actions .button').first();
  assert.equal(await link.evaluate((button) => getComputedStyle(button).fontWeight), '600');
});

/** Bytes on the wire with compression, of the page and all that it loads: .3 s of a slow phone network. */
const MAX_BYTES = 60_000;

test('the home page is light, and nothing in it shifts', async () => {
  await using opened = await openAlone('/404.html', PHONE);
  const { page } = opened;
  await page.goto(new URL('/', page.url()).href, { waitUntil: 'networkidle' });
  const { bytes, shifted } = await page.evaluate(async () => {
    await document.fonts.ready;
    const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    const sizes = loaded.map((entry) => (entry as PerformanceResourceTiming).transferSize);
    const shifts = new PerformanceObserver(() => {});
    shifts.observe({ type: 'layout-shift', buffered: true });
    const moved = shifts.takeRecords() as (PerformanceEntry & { value: number })[];
    return {
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      shifted: moved.reduce((sum, { value }) => sum + value, 0),
    };
  });
  assert.equal(shifted, 0);
  assert.ok(bytes > 0 && bytes <= MAX_BYTES, `${bytes} bytes`);
});
