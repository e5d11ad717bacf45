import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parseAtomFeed } from 'feedsmith';
import { sinceBody } from '../../src/dataset/since.ts';
import { SINCE_FILE } from '../../src/resources/since.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import {
  APACHE,
  behindFront,
  CONTENT_USAGE,
  FILE_SERVERS,
  installed,
  NGINX,
  startApache,
  startNginx,
  startVarnish,
  startWorker,
  VARNISH,
  type Behind,
} from '../support/fronts.ts';
import { bytesOf, exchange, type RequestOptions } from '../support/http.ts';
import { initialize, post, request, type Door } from '../support/mcp.ts';
import { parseDocument } from '../support/parse-xml.ts';
import { openSampleFolder } from '../support/targets.ts';

// What clients and fronts send, as public reports show it: a row for each report.

type Check = (door: Door) => Promise<void>;

/** Checks by what clients say or need, with the reports that show it. */
type Rows = Record<string, Check>;

const SEARCH = '/api/reviews/search';

async function jsonOf(door: Door, path: string, init?: RequestOptions) {
  const response = await door.fetch(path, init);
  assert.equal(response.status, 200, path);
  // oxlint-disable-next-line typescript/no-explicit-any -- each row knows what it asked for
  return (await response.json()) as any;
}

/** Returns a check that a search with a query string matches as one with another. */
const matchesLike = (query: string, meant: string) => async (door: Door) => {
  const { matched, ignored_params: ignored } = await jsonOf(door, `${SEARCH}?limit=1&${query}`);
  const wanted = await jsonOf(door, `${SEARCH}?limit=1&${meant}`);
  assert.deepEqual([matched, ignored], [wanted.matched, undefined]);
};

/** Returns a check that a message to /mcp has a result. */
const answered =
  (message: unknown, headers: Record<string, string> = {}) =>
  async (door: Door) => {
    const { status, body } = await post(door, message, headers);
    assert.ok(status === 200 && body!.result, JSON.stringify([status, body]));
  };

/** Returns a check that arguments of a tool are answered as others are. */
const calledLike = (tool: string, given: unknown, meant: object, ignored?: string[]) => {
  const call = async (door: Door, args: unknown) => {
    const { body } = await post(door, request('tools/call', { name: tool, arguments: args }));
    assert.ok(body?.result && !body.result.isError, JSON.stringify(body));
    return body.result.structuredContent;
  };
  return async (door: Door) => {
    const { ignored_arguments: named, ...answer } = await call(door, given);
    assert.deepEqual([answer, named], [await call(door, meant), ignored]);
  };
};

/** Returns a check that a poll with the ETag of a compressed answer is a 304. */
const pollOf = (path: string) => async (door: Door) => {
  const headers = { 'accept-encoding': 'gzip' };
  const etag = (await door.fetch(path, { headers })).headers.get('etag')!;
  const again = await door.fetch(path, { headers: { ...headers, 'if-none-match': etag } });
  assert.equal(again.status, 304, `${path} ${etag}`);
};

async function subscribes(door: Door, type = 'application/x-www-form-urlencoded') {
  const fields = {
    'hub.mode': 'subscribe',
    'hub.topic': 'http://localhost:4321/feed.xml',
    'hub.callback': 'https://subscriber.example/callback',
  };
  const headers = { 'content-type': type };
  const init = { method: 'POST', headers, body: String(new URLSearchParams(fields)) };
  assert.equal((await door.fetch('/api/websub/hub', init)).status, 202);
}

/** Returns a check that an address is answered as another is. */
const readLike = (path: string, meant: string) => async (door: Door) => {
  const [given, wanted] = await Promise.all([path, meant].map((each) => door.fetch(each)));
  assert.deepEqual([given!.status, given!.headers.get('etag')], [200, wanted!.headers.get('etag')]);
};

/** Returns checks of several values, by what names each. */
function each<T>(
  values: readonly T[],
  name: (value: T) => string,
  check: (value: T) => Check,
): Rows {
  return Object.fromEntries(values.map((value) => [name(value), check(value)]));
}

const LISTED = request('tools/list');
const WRAPPED = [
  { kwargs: { rating: 5, limit: 1 } },
  { params: '{"rating":5,"limit":1}' },
  { args: { rating: '5', limit: 1 } },
];

/** Rows about the sidecar itself, that no test of `unit` or `spec` shows. */
const AT_SIDECAR: Rows = {
  'lists for facets with brackets (orval 3231 with axios)': async (door) => {
    const { facets } = await jsonOf(door, `${SEARCH}?facets[]=rating&facets[]=source&limit=1`);
    assert.deepEqual(Object.keys(facets), ['rating', 'source']);
  },
  'a next page that is followed by its Link alone (paginate-json 5)': async (door) => {
    const { headers } = await door.fetch(`${SEARCH}?limit=1`);
    assert.match(headers.get('link')!, /^<https?:\/\/[^>]+>; rel="next"$/);
  },
  'slashes of two addresses (oapi-codegen 91, docspell 579)': readLike('//feed.xml', '/feed.xml'),
  'slashes of two addresses of a search (openapi-typescript-codegen 890)': readLike(
    `/${SEARCH}?query=//`,
    `${SEARCH}?query=//`,
  ),
  'ampersands that stay escaped (formie PR 2574)': matchesLike(
    'query=a&amp;rating=5',
    'query=a&rating=5',
  ),
  'a slash after a file (warehouse PR 11418)': readLike('/reviews.json/', '/reviews.json'),
  'a Date in a path (NSwag 5405, hey-api 2154)': readLike(
    '/api/reviews/since/2026-10-01T08%3A00%3A00.000Z',
    '/api/reviews/since/2026-10-01',
  ),

  ...each(
    ['application/json-rpc', 'application/vnd.api+json', 'application/json, application/json'],
    (type) => `a body of ${type} (mcp-toolbox PR 1049)`,
    (type) => answered(LISTED, { 'content-type': type }),
  ),
  'a mark of byte order (Pode 1604)': answered(`\uFEFF${JSON.stringify(LISTED)}`),
  'a client without a name (kubernetes-mcp-server PR 844, xiaohongshu-mcp 697)': answered(
    request('initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
  ),
  'an unknown version in the header of the first message (graylog2-server 25956, effect PR 7388)':
    answered(initialize(), { 'mcp-protocol-version': '2023-01-01' }),
  'a session that a proxy sends twice (agentchattr 80)': async (door) => {
    const opened = await post(door, initialize());
    const twice = (value: string) => `${value}, ${value}`;
    const headers = {
      'mcp-session-id': twice(opened.headers.get('mcp-session-id')!),
      'mcp-protocol-version': twice('2025-06-18'),
    };
    await answered(LISTED, headers)(door);
  },
  'an offer of HTTP/2 with a body (java-sdk PR 101, uvicorn 2722)': answered(LISTED, {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
  }),
  'a schema for Gemini (gemini-cli 2237, langchainjs 8074)': async (door) => {
    const { body } = await post(door, LISTED);
    const inputs = body!.result.tools.map((tool: { inputSchema: object }) => tool.inputSchema);
    assert.doesNotMatch(JSON.stringify(inputs), /"format"/);
  },
  ...each(
    WRAPPED,
    (given) => `arguments in ${Object.keys(given)[0]!} (rockbot PR 305, pi-mcp-adapter 363)`,
    (given) => calledLike('search_reviews', given, { rating: 5, limit: 1 }),
  ),
  'a filter in an object beside others (rockbot PR 305)': async (door) => {
    const given = { name: 'search_reviews', arguments: { limit: 1, kwargs: { rating: 5 } } };
    const { body } = await post(door, request('tools/call', given));
    assert.ok(body!.result.isError);
    assert.match(body!.result.content[0].text, /rating may be meant/);
  },
  'arguments beside the name (attio-mcp-server PR 345)': async (door) => {
    const params = { name: 'count_reviews', rating: 5 };
    const { body } = await post(door, request('tools/call', params));
    assert.equal(body!.result.structuredContent.filters.rating, 5);
  },
  'arguments that are text twice (codegraff2 PR 141)': calledLike(
    'search_reviews',
    JSON.stringify('{"limit":1}'),
    { limit: 1 },
  ),
  'numbers and text for a prompt (python-sdk PR 1058, search-console-mcp 112)': async (door) => {
    for (const [name, given] of [
      ['list_unanswered_reviews', { page: 2 }],
      ['report_month', '{"month":"2026-10"}'],
    ] as const) {
      await answered(request('prompts/get', { name, arguments: given }))(door);
    }
  },
  'an expectation that nobody knows (curl 4949, dotnet/corefx PR 24789)': async (door) => {
    for (const expect of ['', '200-ok']) {
      const { status } = await door.fetch('/healthz', { headers: { expect } });
      assert.equal(status, 200, expect);
    }
  },
  'a part that does not exist, with a length (QtMeshEditor PR 1039)': async (door) => {
    const { headers } = await door.fetch('/feed.xml', { headers: { range: 'Bytes=9999999-' } });
    assert.match(headers.get('content-range')!, /^bytes \*/);
    assert.equal(headers.get('content-length'), '0');
  },
  'a form whose type a proxy names twice (mcp-toolbox PR 1049)': (door) =>
    subscribes(door, 'application/x-www-form-urlencoded, application/x-www-form-urlencoded'),
  'names that a framework adds (agent-framework PR 6399)': calledLike(
    'search_reviews',
    { limit: 1, thread: { id: 1 }, conversation_id: 'a', chat_options: { model: 'b' } },
    { limit: 1 },
    ['chat_options[model]', 'conversation_id', 'thread[id]'],
  ),
  'a feed in a parser (elfeed PR 69, feedparser 492)': async (door) => {
    const xml = await (await door.fetch('/feed.xml')).text();
    const { items } = await jsonOf(door, '/api/feed.json');
    const titles = parseAtomFeed(xml).entries!.map((entry) => entry.title?.value ?? entry.title);
    assert.deepEqual(
      titles,
      items.map(({ title }: { title: string }) => title),
    );
    assert.ok(titles.some((title) => String(title).includes('Chidi & Rachel')));
    assert.doesNotMatch(xml, /www\.w3\.org\/1999\/xhtml/);
    assert.ok(parseDocument(xml).attributes['xml:lang']);
  },
  "the license in a header, not in rules for crawlers (Lighthouse's robots-txt.js)": async (
    door,
  ) => {
    const robots = await door.fetch('/robots.txt');
    assert.equal(robots.headers.get('content-usage'), CONTENT_USAGE);
    assert.doesNotMatch(await robots.text(), /Content-Usage/);
  },
};

const POLLED = [
  '/feed.xml',
  '/api/feed.json',
  '/summary.json',
  '/reviews.json',
  `${SEARCH}?rating=5`,
];

/** Rows that a front could break. */
const ANYWHERE: Rows = {
  'a session with MCP (mcpproxy-go 898, langfuse PR 15545)': answered(initialize()),
  'a tool call (ohmywind PR 192)': calledLike(
    'count_reviews',
    { group_by: '["year"]' },
    { group_by: ['year'] },
  ),
  'a list with brackets (axios)': matchesLike(
    'source[]=google&source[]=yelp',
    'source=google,yelp',
  ),
  'a subscription (w3c/websub 101)': (door) => subscribes(door),
  ...each(
    [...POLLED, '/api/reviews/since/1999-01-01'],
    (path) => `a poll of ${path} (symfony 25475, Elgg 9427, owncloud 13219)`,
    pollOf,
  ),
  'a feed for gzip alone (rss-parser 287, NetNewsWire 430, feedbin 113)': async (door) => {
    const response = await door.fetch('/feed.xml', { headers: { 'accept-encoding': 'gzip' } });
    assert.ok((await bytesOf(response)).length < 11_000);
    assert.match(response.headers.get('content-type')!, /^application\/atom\+xml/);
  },
};

const FRONTS = [
  { name: 'Apache with mod_deflate', command: APACHE, version: '-v', start: startApache },
  { name: 'Varnish', command: VARNISH, version: '-V', start: startVarnish },
  { name: 'nginx', command: NGINX, version: '-v', start: startNginx },
];

async function checkRows(context: TestContext, rows: Rows, door: Door): Promise<void> {
  for (const [says, check] of Object.entries(rows)) await context.test(says, () => check(door));
}

/** A sidecar as it runs behind a front. */
const trusting = (context: TestContext): Promise<Behind> =>
  behindFront(context, {
    mcpOptions: { access: { origins: ['*'], hosts: [], hasFront: true } },
  });

const doorAt = (origin: string): Door => ({ fetch: (path, init) => exchange(origin, path, init) });

test('the sidecar answers what the world sends', async (context) => {
  const { sidecar } = await behindFront(context);
  await checkRows(context, { ...ANYWHERE, ...AT_SIDECAR }, doorAt(`http://${sidecar}`));
});

test("Cloudflare's worker passes on what the world sends", async (context) => {
  const { sidecar } = await trusting(context);
  await checkRows(context, ANYWHERE, { fetch: await startWorker(context, sidecar) });
});

for (const { name, command, version, start } of FRONTS) {
  const skip = !installed(command, version) && `${command} is not installed`;
  test(`${name} passes on what the world sends`, { skip }, async (context) => {
    const url = await start(context, await trusting(context));
    await checkRows(context, ANYWHERE, doorAt(url));
  });
}

for (const [command, start] of FILE_SERVERS) {
  const skip = !installed(command, '-V') && `${command} is not installed`;
  test(
    `${command} has JSON for a listing of a day (hey-api 1288, forklore 297)`,
    { skip },
    async (context) => {
      const { search } = await openSampleFolder();
      const root = await temporaryFolder(context);
      const path = SINCE_FILE.path.replace('{date}', '2026-10-01');
      const listing = Buffer.concat(sinceBody(search.lines, 8, '2026-10-01'));
      await mkdir(dirname(join(root, path)), { recursive: true });
      for (const file of [path, '/robots.txt']) await writeFile(join(root, file), listing);
      const door = doorAt(await start(context, root));
      const { headers } = await door.fetch(path);
      assert.equal(headers.get('content-type'), 'application/json');
      assert.equal((await jsonOf(door, path)).count, 8);
    },
  );
}
