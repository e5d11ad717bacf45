import type { Browser, Page } from 'playwright';

export interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

/** On a phone and on a desk, by day and by night. */
export const VIEWS: View[] = [390, 1280].flatMap((width) => [
  { width, colorScheme: 'light' as const },
  { width, colorScheme: 'dark' as const },
]);

export interface WatchedPage extends AsyncDisposable {
  page: Page;
  /** Errors on the console, failed requests, answers that are faults, and requests elsewhere. */
  faults: string[];
}

/** Opens an address in a fresh browser context and notes everything that goes wrong. */
export async function openWatched(
  browser: Browser,
  url: string,
  { width, colorScheme }: View = { width: 1280, colorScheme: 'light' },
): Promise<WatchedPage> {
  const { origin } = new URL(url);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
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
  await page.goto(url);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** How many pixels the page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
