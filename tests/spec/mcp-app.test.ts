import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MCP_APP_TYPE, MCP_APPS } from '../../src/schema/mcp-catalog.ts';
import type { AppResource } from '../support/app-host.ts';
import { answerOf, ask, initialize, post } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';
import { htmlErrors } from '../support/validate-html.ts';

// The extension MCP Apps (SEP-1865, 2026-01-26): a card for the result of get_summary.

interface Listed {
  name: string;
  _meta?: { ui: { resourceUri: string } };
}

forEachTarget((target) => {
  test('one tool names its card', async () => {
    const [tool, ...others] = await withApp();
    assert.deepEqual([tool?.name, others], ['get_summary', []]);
    assert.match(tool!._meta!.ui.resourceUri, /^ui:\/\//);
  });

  const withApp = async (): Promise<Listed[]> =>
    (await ask(target, 'tools/list')).tools.filter(({ _meta }: Listed) => _meta?.ui);

  test('the server declares the extension', async () => {
    const { body } = await post(target, initialize());
    assert.deepEqual(body!.result.capabilities.extensions, { [MCP_APPS]: {} });
  });

  test('the card is a resource of its own type, a file of the edition, and allows no origin', async () => {
    const [tool] = await withApp();
    const uri = tool!._meta!.ui.resourceUri;
    const { contents } = await ask(target, 'resources/read', { uri });
    assert.equal(contents.length, 1);
    assert.deepEqual(contents[0], await target.json<AppResource>('/mcp-app.json'));
    assert.deepEqual([contents[0].uri, contents[0].mimeType], [uri, MCP_APP_TYPE]);
    assert.deepEqual(contents[0]._meta, { ui: { csp: {}, prefersBorder: true } });
    assert.deepEqual(await htmlErrors(contents[0].text), []);
  });

  test('the text of the tool says all that the card shows', async () => {
    const { text } = await target.json<{ text: string }>('/mcp-app.json');
    const { rating, praised, criticized } = await answerOf(target, 'get_summary');
    const html = text.replaceAll(/&#39;|&#x27;/g, "'").replaceAll('&amp;', '&');
    assert.ok(html.includes(`<strong>${rating.rating_value.toFixed(2)}</strong>`));
    for (const count of Object.values(rating.distribution)) assert.ok(html.includes(`${count}`));
    const quotes = [...praised, ...criticized].flatMap((each) => each.quotes);
    const shown = html.match(/<blockquote/g)!;
    assert.equal(quotes.length, shown.length);
    assert.ok(quotes.length >= 4);
    for (const { quote, url } of quotes) {
      assert.ok(html.includes(`“${quote}”`), quote);
      assert.ok(html.includes(`href="${url}"`), url);
    }
  });
});
