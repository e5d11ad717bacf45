import { after, before } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { RunningServer } from '../../sidecar/server.ts';
import { launchChromium } from './chromium.ts';
import { listenOnFreePort, sampleApp } from './targets.ts';

/** A page as opened, and everything that went wrong on it so far. */
export interface Opened {
  page: Page;
  faults: string[];
}

export interface SiteBrowser {
  origin(): string;
  /** Closed with the suite. */
  open(path: string, options?: BrowserContextOptions): Promise<Opened>;
}

/** The widths and schemes in which every page is looked at. */
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
    origin: () => new URL(server.url).origin,
    async open(path, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) faults.push(`foreign: ${request.url()}`);
      });
      await page.goto(new URL(path, server.url).href);
      return { page, faults };
    },
  };
}

/** Pixels by which a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
