import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Frame, Page } from 'playwright';
import { MCP_APP_PATH } from '../../src/paths.ts';
import { MCP_APP_URI } from '../../src/schema/mcp-catalog.ts';
import { serveAppHost, type AppResource, type HostOptions } from '../support/app-host.ts';
import { contentFolder, VALID_CONTENT } from '../support/content-folder.ts';
import { buildEdition } from '../support/edition.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { ask, type Door } from '../support/mcp.ts';
import { readManifest } from '../support/pages.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import {
  axeFindings,
  newContext,
  RULES_OF_A_VIEW,
  sidewaysScroll,
} from '../support/site-browser.ts';
import { sampleApp } from '../support/targets.ts';

// The card of the MCP App inside a host that follows the specification (MCP Apps 2026-01-26).

const WIDTHS = [320, 390, 768];
const OPTIONS: HostOptions = { theme: 'light', opensLinks: true, toolResult: { content: [] } };
const DARK_PAPER = 'rgb(17, 23, 24)';

const app = await sampleApp();
const door: Door = { fetch: (path, init) => app.request(path, init) };
const { contents } = await ask(door, 'resources/read', { uri: MCP_APP_URI });
const sampleHost = await serveAppHost(contents[0] as AppResource);
after(() => sampleHost.close());

test('the card is sound at the widths of chats, in both themes, and loads nothing', async () => {
  const toolResult = await ask(door, 'tools/call', { name: 'get_summary', arguments: {} });
  for (const theme of ['light', 'dark'] as const) {
    await using opened = await open({ ...OPTIONS, theme, toolResult });
    const { page, view, problems } = opened;
    for (const width of WIDTHS) {
      const name = `${width} pixels, ${theme}`;
      await page.setViewportSize({ width, height: 900 });
      await eventually(() => isAsHighAsFrame(page, view));
      assert.equal(await sidewaysScroll(page), 0, name);
    }
    const rules = theme === 'light' ? [] : RULES_OF_A_VIEW;
    assert.deepEqual(await axeFindings(page, rules, true), [], theme);
    assert.equal((await paperOf(view)) === DARK_PAPER, theme === 'dark');
    assert.deepEqual(problems, []);
  }
});

/** Words that would run, forge a link, or not break, each about an aspect of its own. */
const HOSTILE = {
  price: '</script><script>confirm(1)</script>',
  manners: '<img src=x onerror=confirm(1)>',
  parking: '[forged](javascript:confirm(1))',
  coffee: '"\' href="/forged" onclick="alert(1)"',
  music: '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
  paint: 'W'.repeat(100),
};
const LONG_NAME = `${'W'.repeat(240)} </title><script>alert(1)</script> ${'\u0634'.repeat(200)}`;

test('hostile words on the card run nothing, forge no link and do not overflow', async (context) => {
  const business = JSON.parse(await readFile(join(VALID_CONTENT, 'business.json'), 'utf8'));
  const aspects = Object.keys(HOSTILE);
  const reviews = Object.entries(HOSTILE).flatMap(([aspect, words], at) => {
    const [stars, opinion] = at < 3 ? [5, 'great'] : [1, 'terrible'];
    const author = LONG_NAME.slice(0, 500);
    return [1, 2, 3, 4, 5].map((day) =>
      record({
        id: ulidOf(10 * at + day),
        author,
        rating: stars,
        date: `2026-01-0${day}`,
        text: `The ${aspect} was ${opinion} ${words} and all of us saw it.`,
      }),
    );
  });
  const content = await contentFolder(context, {
    'business.json': JSON.stringify({ ...business, name: LONG_NAME }),
    faq: null,
    'vocabulary/topics.json': null,
    'vocabulary/aspects.json': JSON.stringify(
      aspects.map((id) => ({ id, label: id, terms: [id] })),
    ),
    'reviews/2026.jsonl': jsonl(...reviews),
  });
  const outDir = join(await temporaryFolder(context), 'dist');
  const { client } = await buildEdition(outDir, { CONTENT_DIR: content });
  const card = JSON.parse(await readFile(join(client, MCP_APP_PATH), 'utf8')) as AppResource;
  const hostileHost = await serveAppHost(card);
  context.after(() => hostileHost.close());
  await using opened = await open(OPTIONS, hostileHost);
  const { page, view, problems } = opened;
  const shown = await view.locator('body').innerText();
  for (const words of Object.values(HOSTILE)) assert.ok(shown.includes(words), words);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(() => isAsHighAsFrame(page, view));
    assert.equal(await sidewaysScroll(page), 0, `${width} pixels`);
  }
  const { base_url } = await readManifest(client);
  for (const link of await view.locator('a').evaluateAll((all) => all.map(String))) {
    assert.ok(link.startsWith(`${base_url}/`) && !link.includes('forged'), link);
  }
  assert.equal(await view.locator('script').count(), 1);
  assert.equal(await view.locator('img, [onclick], [onerror]').count(), 0);
  assert.deepEqual(problems, []);
});

test('the host opens every link, and every quote has one', async () => {
  await using opened = await open(OPTIONS);
  const { page, view } = opened;
  const links = view.locator('a[href]');
  const urls = await links.evaluateAll((all) =>
    all.map((each) => (each as HTMLAnchorElement).href),
  );
  const quotes = await view.locator('blockquote').count();
  assert.ok(quotes >= 4);
  assert.equal(await view.locator('.quote figcaption a[href*="/reviews/"]').count(), quotes);
  for (const index of urls.keys()) {
    await links.nth(index).click();
    await eventually(async () => (await received(page, 'ui/open-link')).length === index + 1);
  }
  const opens = await received(page, 'ui/open-link');
  assert.deepEqual(
    opens.map(({ params }) => params),
    urls.map((url) => ({ url })),
  );
  for (const url of urls) assert.match(url, /^http:\/\/localhost:4321\//);
  assert.match(view.url(), /\/view$/);
});

test('the card stays when the host opens no links', async () => {
  await using opened = await open({ ...OPTIONS, opensLinks: false });
  const { page, view } = opened;
  await view.locator('.quote a').first().click();
  await tell(page, { id: 'ping', method: 'ping' });
  await eventually(async () => (await received(page)).some(({ id }) => id === 'ping'));
  assert.deepEqual(await received(page, 'ui/open-link'), []);
  assert.match(view.url(), /\/view$/);
});

test('the card begins as the specification says, answers the host and follows its theme', async () => {
  await using opened = await open(OPTIONS);
  const { page, view } = opened;
  const [first, second] = await received(page);
  assert.deepEqual(
    [first?.method, second?.method],
    ['ui/initialize', 'ui/notifications/initialized'],
  );
  assert.equal(first?.params?.protocolVersion, '2026-01-26');
  assert.deepEqual(first?.params?.appCapabilities, { availableDisplayModes: ['inline'] });
  await tell(page, { id: 'end', method: 'ui/resource-teardown', params: { reason: 'done' } });
  await tell(page, { id: 'ping', method: 'ping' });
  await tell(page, { id: 'tools', method: 'tools/list' });
  const answers = async () => (await received(page)).filter(({ method }) => method === undefined);
  await eventually(async () => (await answers()).length === 3);
  assert.deepEqual(
    (await answers()).map(({ id, result, error }) => [id, result ?? error?.code]),
    [
      ['end', {}],
      ['ping', {}],
      ['tools', -32601],
    ],
  );
  assert.notEqual(await paperOf(view), DARK_PAPER);
  await tell(page, { method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } });
  await eventually(async () => (await paperOf(view)) === DARK_PAPER);
});

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: object;
  error?: { code: number };
}

interface HostWindow {
  received: Message[];
  send(message: Message): void;
}

/** Opens the host and waits until the card has its size. */
async function open(options: HostOptions, host = sampleHost) {
  const context = await newContext({ viewport: { width: 390, height: 900 } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  const address = host.url(options);
  const { origin } = new URL(address);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['/', '/view'].includes(url.pathname) || url.origin !== origin) problems.push(url.href);
  });
  await page.goto(address);
  await eventually(async () => (await received(page, 'ui/notifications/size-changed')).length > 0);
  const view = page.frames().find((frame) => frame.url().endsWith('/view'))!;
  return { page, view, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Returns the messages that the card sent to the host. */
async function received(page: Page, method?: string): Promise<Message[]> {
  const all = await page.evaluate(() => (window as unknown as HostWindow).received);
  return method === undefined ? all : all.filter((message) => message.method === method);
}

/** Sends a message to the card. */
function tell(page: Page, message: Message): Promise<void> {
  return page.evaluate((sent) => (window as unknown as HostWindow).send(sent), message);
}

function paperOf(view: Frame): Promise<string> {
  return view.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Tells whether the frame shows all of the card and nothing below it, without scrolling. */
async function isAsHighAsFrame(page: Page, view: Frame): Promise<boolean> {
  const frame = await page.locator('iframe').evaluate((element) => element.clientHeight);
  const card = await view.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const { height } = document.documentElement.getBoundingClientRect();
    return { height: Math.ceil(height), overflow: scrollWidth - clientWidth };
  });
  return frame === card.height && card.overflow === 0;
}
