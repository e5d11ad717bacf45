import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { RunningServer } from '../../sidecar/server.ts';
import { launchChromium } from './chromium.ts';
import { listenOnFreePort, sampleApp } from './targets.ts';

/** A page in a browser context of its own. */
export interface OpenedPage extends AsyncDisposable {
  page: Page;
  /** Console errors, failed requests, error responses, and requests to other origins. */
  errors: string[];
}

export interface SiteBrowser {
  open(path: string, options?: BrowserContextOptions): Promise<OpenedPage>;
}

/** A phone in light and a desktop in dark, so that two views show each width and each scheme. */
export const VIEWS = [
  { viewport: { width: 390, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
] as const;

/** Serves the sample edition and opens a browser for the tests of one file. */
export function siteBrowser(): SiteBrowser {
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    server = await listenOnFreePort(await sampleApp());
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  return {
    async open(path, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const errors = watchErrors(page, new URL(server.url).origin);
      await page.goto(new URL(path, server.url).href);
      return { page, errors, [Symbol.asyncDispose]: () => context.close() };
    },
  };
}

/** Returns a list that collects the errors of a page as they happen. */
function watchErrors(page: Page, origin: string): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => errors.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) errors.push(`foreign: ${request.url()}`);
  });
  return errors;
}

/** Returns by how many pixels the page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Rules of axe whose result depends on the window or the color scheme, not only on the markup. */
export const RULES_OF_A_VIEW = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/**
 * Returns what axe finds on a page.
 *
 * @param rules only these; none means all
 * @param withFrames looks into frames of other origins too, in twice the time
 */
export async function axeFindings(
  page: Page,
  rules: string[],
  withFrames = false,
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  axe.setLegacyMode(!withFrames);
  if (rules.length > 0) axe.withRules(rules);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}

/**
 * Checks one page in each view, loaded once: no error, nothing from another origin, no sideways
 * scroll, and nothing that axe finds. All rules of axe run in the first view; in the other, those that
 * depend on the view.
 *
 * @param isExpected says which error belongs to the page, e.g. the 400 of a search with issues
 */
export async function checkViews(
  site: SiteBrowser,
  path: string,
  isExpected: (error: string) => boolean = () => false,
): Promise<void> {
  await using opened = await site.open(path, VIEWS[0]!);
  const { page, errors } = opened;
  for (const [at, { viewport, colorScheme }] of VIEWS.entries()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const view = `${path} at ${viewport.width} pixels, ${colorScheme}`;
    assert.equal(await sidewaysScroll(page), 0, `${view} scrolls sideways`);
    assert.deepEqual(await axeFindings(page, at === 0 ? [] : RULES_OF_A_VIEW), [], view);
  }
  assert.deepEqual(
    errors.filter((error) => !isExpected(error)),
    [],
  );
}
