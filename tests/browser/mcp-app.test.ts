import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MCP_APP_URI } from '../../src/schema/mcp-catalog.ts';
import { serveAppHost, type AppResource, type HostOptions } from '../support/app-host.ts';
import { assertFits, DARK_PAPER, openCard, paperOf, received, tell } from '../support/card.ts';
import { eventually } from '../support/eventually.ts';
import { ask, doorOf } from '../support/mcp.ts';
import { axeFindings, RULES_OF_A_VIEW } from '../support/site-browser.ts';
import { sampleApp } from '../support/targets.ts';

// The card of the MCP App inside a host that follows the specification (MCP Apps 2026-01-26).

const OPTIONS: HostOptions = { theme: 'light', opensLinks: true, toolResult: { content: [] } };

const door = doorOf(await sampleApp());
const { contents } = await ask(door, 'resources/read', { uri: MCP_APP_URI });
const sampleHost = await serveAppHost({ after }, contents[0] as AppResource);

test('the card is sound at the widths of chats, in both themes, and loads nothing', async () => {
  const toolResult = await ask(door, 'tools/call', { name: 'get_summary', arguments: {} });
  for (const theme of ['light', 'dark'] as const) {
    await using opened = await openCard(sampleHost, { ...OPTIONS, theme, toolResult });
    const { view, problems } = opened;
    await assertFits(opened);
    const rules = theme === 'light' ? [] : RULES_OF_A_VIEW;
    assert.deepEqual(await axeFindings(view, rules), [], theme);
    assert.equal((await paperOf(view)) === DARK_PAPER, theme === 'dark');
    assert.deepEqual(problems, []);
  }
});

test('the host opens every link, and every quote has one', async () => {
  await using card = await openCard(sampleHost, OPTIONS);
  const { page, view } = card;
  const links = view.locator('a[href]');
  const urls = await links.evaluateAll((all) => all.map(String)); // the address of a link
  const quotes = await view.locator('blockquote').count();
  assert.ok(quotes >= 4);
  assert.equal(await view.locator('.quote figcaption a[href*="/reviews/"]').count(), quotes);
  for (const index of urls.keys()) {
    await links.nth(index).click();
    await eventually(async () => (await received(page, 'ui/open-link')).length === index + 1);
  }
  const opened = (await received(page, 'ui/open-link')).map(({ params }) => params!.url);
  assert.deepEqual(opened, urls);
  for (const url of urls) assert.match(url, /^http:\/\/localhost:4321\//);
  assert.match(view.url(), /\/view$/);
});

test('the card stays when the host opens no links', async () => {
  await using opened = await openCard(sampleHost, { ...OPTIONS, opensLinks: false });
  const { page, view } = opened;
  await view.locator('.quote a').first().click();
  await tell(page, { id: 'ping', method: 'ping' });
  await eventually(async () => (await received(page)).some(({ id }) => id === 'ping'));
  assert.deepEqual(await received(page, 'ui/open-link'), []);
  assert.match(view.url(), /\/view$/);
});

test('the card begins as the specification says, answers the host and follows its theme', async () => {
  await using opened = await openCard(sampleHost, OPTIONS);
  const { page, view } = opened;
  const [first, second] = await received(page);
  assert.equal(first?.method, 'ui/initialize');
  assert.equal(second?.method, 'ui/notifications/initialized');
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
