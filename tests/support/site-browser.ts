import { after, before } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { RunningServer } from '../../sidecar/server.ts';
import { launchChromium } from './chromium.ts';
import { listenOnFreePort, sampleApp } from './targets.ts';

/** A page in a browser context of its own. */
export interface OpenedPage extends AsyncDisposable {
  page: Page;
  /** Errors on the console, failed requests, answers that are faults, and requests elsewhere. */
  faults: string[];
}

export interface SiteBrowser {
  open(path: string, options?: BrowserContextOptions): Promise<OpenedPage>;
}

/** On a phone and on a desk, by day and by night. */
export const VIEWS = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    viewport: { width, height: 900 },
    colorScheme,
  })),
);

/** The sample edition on a socket, and a browser before it, for the tests of one file. */
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
      const faults = watchFaults(page, new URL(server.url).origin);
      await page.goto(new URL(path, server.url).href);
      return { page, faults, [Symbol.asyncDispose]: () => context.close() };
    },
  };
}

/** Fills as things go wrong on the page. */
function watchFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`foreign: ${request.url()}`);
  });
  return faults;
}

/** How many pixels the page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** What axe finds that a person with a disability would stumble over, with the elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
