import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import axe from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Frame,
  type LaunchOptions,
  type Page,
  type Request,
} from 'playwright';
import type { RunningServer } from '../../sidecar/server.ts';
import { basePath } from '../../src/paths.ts';
import { run } from './run.ts';
import { listenOnFreePort, openSampleFolder, sampleApp } from './targets.ts';

/** A page of the sample edition in a browser. */
export interface OpenedPage extends AsyncDisposable {
  page: Page;
  /** Console errors, failed requests, error responses, and requests to other origins. */
  errors: string[];
}

/** A phone in light and a desktop in dark, so that two views show each width and each scheme. */
export const VIEWS = [
  { viewport: { width: 390, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
] as const;

// Started when they are first asked for; the test files of a process share them.
let server: Promise<RunningServer> | undefined;
let browser: Promise<Browser> | undefined;
const contexts = new Map<string, Promise<BrowserContext>>();

after(async () => {
  await (await browser)?.close();
  await (await server)?.close();
});

/** Returns the browser, which closes when all tests of the process have ended. */
function sharedBrowser(): Promise<Browser> {
  return (browser ??= launchChromium());
}

/** Without the windows of a desktop, which nobody sees: a page takes a quarter of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Launches a headless Chromium that makes no requests of its own. */
async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(await findChromium()),
    args: [
      '--no-sandbox', // root, as in containers, has no user namespace of its own
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-features=WebMCP',
    ],
  });
}

/**
 * Returns the path of CHROMIUM or of Debian's Chromium, or nothing, which stands for Playwright's. If
 * there is none, one is installed, with apt or Playwright.
 */
async function findChromium(): Promise<Pick<LaunchOptions, 'executablePath'>> {
  const named = process.env.CHROMIUM;
  if (named) return { executablePath: named };
  const installed = [HEADLESS_SHELL, DEBIAN_CHROMIUM].find((path) => existsSync(path));
  if (installed) return { executablePath: installed };
  if (existsSync(chromium.executablePath())) return {};
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']);
    return { executablePath: HEADLESS_SHELL };
  }
  await run('npx', ['playwright', 'install', '--only-shell', 'chromium']);
  return {};
}

/** Above what anything in a page takes on a busy machine. */
const PATIENCE_MS = 120_000;

/** Creates a context in which no wait depends on how fast the machine is. */
export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * Opens a page of the sample edition. Pages with the same options share a context, and with it the
 * process of the browser that has compiled their scripts and the rules of axe: to open a page in a
 * new context takes twice as long.
 */
export async function openPage(
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) {
    contexts.set(key, newContext(options));
  }
  return open(path, await contexts.get(key)!, (page) => page.close());
}

/** Opens a page in a context of its own: for a test that changes its clock, its routes or its cache. */
export async function openAlone(
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await newContext(options);
  return open(path, context, () => context.close());
}

async function open(
  path: string,
  context: BrowserContext,
  close: (page: Page) => Promise<void>,
): Promise<OpenedPage> {
  const { url } = await (server ??= serveSample());
  const page = await context.newPage();
  const { origin } = new URL(url);
  const errors = watchErrors(page, (asked) => asked.origin === origin);
  await page.goto(new URL(path, url).href);
  return { page, errors, [Symbol.asyncDispose]: () => close(page) };
}

async function serveSample(): Promise<RunningServer> {
  const { manifest } = await openSampleFolder();
  return listenOnFreePort(await sampleApp(), { site: { basePath: basePath(manifest.base_url) } });
}

/** Returns a list that collects the errors of a page as they happen, and requests for what is not its own. */
export function watchErrors(page: Page, isOwn: (url: URL) => boolean): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    if (!isDropped(request)) errors.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!isOwn(new URL(request.url()))) errors.push(`foreign: ${request.url()}`);
  });
  return errors;
}

/** Chromium drops what a page that is left still asks for, and a page its search before the next one. */
function isDropped(request: Request): boolean {
  return request.failure()?.errorText === 'net::ERR_ABORTED';
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
 * Returns what axe finds in a page or frame, without the frames in it.
 *
 * @param rules only these; none means all
 */
export async function axeFindings(frame: Page | Frame, rules: string[] = []): Promise<string[]> {
  // A page that was checked has it already: to load it takes longer than to check most pages.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: rules }),
  };
  const violations = await frame.evaluate(async (options) => {
    const loaded = globalThis as unknown as { axe: typeof axe };
    return (await loaded.axe.run(document, options)).violations;
  }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}

/** Text as WCAG 2.2, 1.4.12 lets readers space it; 1.4.10 asks for 320 pixels, and some zoom further. */
const SPACED_TEXT =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
  'p { margin-bottom: 2em !important }';

/** Elements with words of customers, who may write without a space. */
const OF_CUSTOMERS = '.author, .review h3, .review .text, .reply p, .people bdi, blockquote p';

/** The page of `checkViews`: one that stays open keeps what it compiled, the rules of axe above all. */
let viewed: Promise<OpenedPage> | undefined;

/**
 * Checks one page in each view, loaded once: no error, nothing from another origin, no sideways
 * scroll, and nothing that axe finds. All rules of axe run in the first view; in the other, those that
 * depend on the view.
 *
 * @param isExpected says which error belongs to the page, e.g. the 400 of a search with issues
 */
export async function checkViews(
  path: string,
  isExpected: (error: string) => boolean = () => false,
): Promise<void> {
  const { page, errors } = await (viewed ??= openPage('/404.html'));
  errors.length = 0;
  for (const [at, { viewport, colorScheme }] of VIEWS.entries()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (at === 0) await page.goto(new URL(path, page.url()).href);
    const view = `${path} at ${viewport.width} pixels, ${colorScheme}`;
    assert.equal(await sidewaysScroll(page), 0, `${view} scrolls sideways`);
    const rules = at === 0 ? [] : RULES_OF_A_VIEW;
    assert.deepEqual(await axeFindings(page, rules), [], view);
  }
  for (const spacing of ['', SPACED_TEXT]) {
    await page.setViewportSize({ width: spacing === '' ? 256 : 320, height: 700 });
    await page.evaluate((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [sheet];
    }, spacing);
    assert.equal(await sidewaysScroll(page), 0, `${path} scrolls sideways where it is narrow`);
  }
  await page.evaluate((selector) => {
    const word = 'W'.repeat(60);
    for (const element of document.querySelectorAll(selector)) element.textContent = word;
  }, OF_CUSTOMERS);
  assert.equal(await sidewaysScroll(page), 0, `${path} scrolls sideways with words without an end`);
  const wrong = errors.filter((error) => !isExpected(error));
  assert.deepEqual(wrong, []);
}
