import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MCP_APP_TYPE, MCP_APPS } from '../../src/schema/mcp-catalog.ts';
import type { AppResource } from '../support/app-host.ts';
import { answerOf, ask, initialize, post, request } from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';
import { htmlErrors } from '../support/validate-html.ts';

// The extension MCP Apps (SEP-1865, 2026-01-26): a card for the result of get_summary.

const SUPPORTED = { extensions: { [MCP_APPS]: { mimeTypes: [MCP_APP_TYPE] } } };
const OTHERS = [
  {},
  { extensions: {} },
  { extensions: { [MCP_APPS]: {} } },
  { extensions: { [MCP_APPS]: { mimeTypes: ['text/uri-list'] } } },
  { extensions: 'all' },
];

interface Listed {
  name: string;
  _meta?: { ui: { resourceUri: string } };
}

forEachTarget((target) => {
  /** Returns the tools as the client of a session sees them. */
  const toolsInSession = async (capabilities: object): Promise<Listed[]> => {
    const first = initialize('2025-11-25') as { params: object };
    const params = { ...first.params, capabilities };
    const { headers } = await post(target, { ...first, params });
    const session = headers.get('mcp-session-id')!;
    const { body } = await post(target, request('tools/list'), { 'mcp-session-id': session });
    return body!.result.tools;
  };

  /** Returns the tools as a client of 2026-07-28 sees them. */
  const toolsWithoutSession = async (capabilities: object): Promise<Listed[]> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const { body } = await post(target, request('tools/list', { _meta }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
    return body!.result.tools;
  };

  const withApp = (tools: Listed[]) => tools.filter(({ _meta }) => _meta?.ui);

  test('one tool names its card, and the list is the same for every client', async () => {
    const all = [SUPPORTED, ...OTHERS];
    const lists = [await toolsWithoutSession({})];
    for (const capabilities of all) {
      lists.push(await toolsWithoutSession(capabilities));
      if (capabilities.extensions !== 'all') lists.push(await toolsInSession(capabilities));
    }
    for (const list of lists) assert.deepEqual(list, (await ask(target, 'tools/list')).tools);
    const [tool, ...others] = withApp(lists[0]!);
    assert.deepEqual([tool?.name, others], ['get_summary', []]);
    assert.match(tool!._meta!.ui.resourceUri, /^ui:\/\//);
  });

  test('the server declares the extension', async () => {
    const { body } = await post(target, initialize());
    assert.deepEqual(body!.result.capabilities.extensions, { [MCP_APPS]: {} });
  });

  test('the card is a resource of its own type, a file of the edition, and allows no origin', async () => {
    const [tool] = withApp(await toolsInSession(SUPPORTED));
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
