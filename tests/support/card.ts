import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright';
import type { HostOptions, serveAppHost } from './app-host.ts';
import { eventually } from './eventually.ts';
import { newContext, sidewaysScroll, watchErrors } from './site-browser.ts';

const WIDTHS = [320, 390, 768];
export const DARK_PAPER = 'rgb(17, 23, 24)';

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

/** Opens the card of the MCP App in a host, and waits until it has its size. */
export async function openCard(
  host: Awaited<ReturnType<typeof serveAppHost>>,
  options: HostOptions,
) {
  const context = await newContext({ viewport: { width: 390, height: 900 } });
  const page = await context.newPage();
  const address = host.url(options);
  const own = new Set(['/', '/view'].map((path) => new URL(path, address).href));
  const problems = watchErrors(page, ({ href }) => own.has(href.replace(/#.*/, '')));
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  await eventually(async () => (await received(page, 'ui/notifications/size-changed')).length > 0);
  const view = page.frames().find((frame) => frame.url().endsWith('/view'))!;
  return { page, view, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Returns the messages that the card sent to the host. */
export async function received(page: Page, method?: string): Promise<Message[]> {
  const all = await page.evaluate(() => (window as unknown as HostWindow).received);
  return method === undefined ? all : all.filter((message) => message.method === method);
}

/** Sends a message to the card. */
export function tell(page: Page, message: Message): Promise<void> {
  return page.evaluate((sent) => (window as unknown as HostWindow).send(sent), message);
}

export function paperOf(view: Frame): Promise<string> {
  return view.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Asserts at the widths of chats that the frame shows all of the card, and that nothing scrolls. */
export async function assertFits({
  page,
  view,
}: Awaited<ReturnType<typeof openCard>>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(() => isAsHighAsFrame(page, view));
    assert.equal(await sidewaysScroll(page), 0, `${width} pixels`);
  }
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
