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

/** Phone and desktop, light and dark. */
export const VIEWS = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    viewport: { width, height: 900 },
    colorScheme,
  })),
);

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

/** Returns the accessibility violations that axe finds, with their elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
