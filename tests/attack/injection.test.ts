import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright';
import {
  HUB_PATH,
  MCP_APP_PATH,
  MCP_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../../src/paths.ts';
import type { JsonFeedDocument } from '../../src/resources/json-feed.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { reviewRecord, type Review } from '../../src/schema/review.ts';
import { QUERY_MAX_LENGTH, type SearchResult } from '../../src/schema/search.ts';
import { serveAppHost, type AppResource } from '../support/app-host.ts';
import { assertFits, openCard } from '../support/card.ts';
import { sampleEdition } from '../support/edition.ts';
import { eventually } from '../support/eventually.ts';
import { elements, textOf } from '../support/html.ts';
import { exchange, type RequestOptions } from '../support/http.ts';
import { initialize, MCP_HEADERS, request } from '../support/mcp.ts';
import { readManifest, readPages, structuredData } from '../support/pages.ts';
import { child, children, parseDocument } from '../support/parse-xml.ts';
import { record } from '../support/reviews.ts';
import { startSidecar, type SidecarProcess } from '../support/sidecar-process.ts';
import { newContext } from '../support/site-browser.ts';
import { SLOW } from '../support/slow.ts';
import { sampleApp } from '../support/targets.ts';
import { HOSTILE_REVIEWS, hostileEdition, ON_THE_CARD } from './hostile-edition.ts';
import { INJECTIONS } from './injections.ts';
import { markupOf } from './markup.ts';

/** Injections that are written to the model that reads. */
const TO_A_MODEL = new Set(['order to a model', 'end of a tool result', 'tokens of a chat']);
/** There are hundreds, all alike. */
const REVIEW_PAGE = /^\/reviews\/[\dA-Z]{26}\//;
const FEED_MARKUP = new Set(['p', 'br', 'strong']);

// Through every door that data goes out by, and into the log.
describe('injections in the words of reviews', SLOW, () => {
  let client: string;
  let sidecar: SidecarProcess;
  let page: Page;
  /** Answers on the wire; each is one line of the log. */
  let answers = 0;

  before(async () => {
    ({ client } = await hostileEdition());
    sidecar = await startSidecar({
      EDITION: client,
      DATA_DIR: join(client, '../../data'),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'debug',
    });
    page = await (await newContext({ bypassCSP: true })).newPage();
  });
  after(async () => {
    await page?.context().close();
    sidecar?.child.kill('SIGKILL');
    await sidecar?.exited;
  });

  const send = async (target: string, options?: RequestOptions): Promise<Response> => {
    const answer = await exchange(sidecar.url, target, options);
    answers++;
    return answer;
  };
  const get = async (target: string): Promise<string> => {
    const answer = await send(target);
    assert.equal(answer.status, 200, target);
    return answer.text();
  };
  const json = async <T>(target: string): Promise<T> => JSON.parse(await get(target)) as T;
  const tool = async (name: string, given: object): Promise<string> => {
    const body = JSON.stringify(request('tools/call', { name, arguments: given }));
    const answer = await send(MCP_PATH, { method: 'POST', headers: MCP_HEADERS, body });
    const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
    return result.content[0].text;
  };

  test('have no hidden characters that content/ takes', () => {
    for (const { name, text } of HOSTILE_REVIEWS) {
      const isHidden = INJECTIONS[name] !== text;
      for (const field of ['author', 'title', 'text']) {
        const { success } = reviewRecord.safeParse(record({ [field]: INJECTIONS[name] }));
        assert.equal(success, !isHidden, `${name} as ${field}`);
      }
    }
  });

  test('are the same in /reviews.json, since and search', async () => {
    const { reviews } = await json<ReviewsDataset>('/reviews.json');
    const all = await json<{ reviews: Review[] }>(`${SINCE_PATH}/1999-01-01`);
    for (const { name, id, text } of HOSTILE_REVIEWS) {
      const review = reviews.find((each) => each.id === id)!;
      const words = [review.author, review.title, review.text, review.owner_reply?.text];
      assert.deepEqual(words, [text, text, text, text], name);
      const query = new URLSearchParams({ query: text.slice(0, QUERY_MAX_LENGTH), limit: '100' });
      const found = await json<{ reviews: Review[] }>(`${SEARCH_PATH}?${query}`);
      for (const listed of [all.reviews, found.reviews]) {
        const same = listed.find((each) => each.id === id);
        assert.deepEqual(same, review, name);
      }
    }
  });

  test('are the same in the tools of /mcp, which flag what is written to a model', async () => {
    const { reviews } = await json<ReviewsDataset>('/reviews.json');
    const injected = reviews.slice(0, HOSTILE_REVIEWS.length); // the newest
    const text = await tool('search_reviews', { limit: injected.length });
    const answer = JSON.parse(text) as Pick<SearchResult, 'reviews' | 'addresses_machine'>;
    assert.deepEqual(answer.reviews, injected);
    for (const { name, id } of HOSTILE_REVIEWS) {
      if (TO_A_MODEL.has(name)) assert.ok(answer.addresses_machine?.includes(id), name);
    }
    for (const review of injected) {
      const got = await tool('get_review', { id: review.id });
      assert.ok(got.includes(JSON.stringify(review)), review.id);
    }
  });

  test('are the same in the feeds, and forge no entry', async () => {
    const entries = children(parseDocument(await get('/feed.xml')), 'entry');
    const { items } = await json<JsonFeedDocument>('/api/feed.json');
    assert.deepEqual([entries.length, items.length], [50, 50]);
    for (const { name, id, text } of HOSTILE_REVIEWS) {
      const entry = entries.find((each) => child(each, 'id').text.includes(id))!;
      const item = items.find((each) => each.id.includes(id))!;
      // An XML parser reads every line break as a line feed.
      assert.equal(child(child(entry, 'author'), 'name').text, text, name);
      assert.equal(item.authors[0]!.name, text, name);
      assert.ok(item.content_text.includes(text), name);
      assert.equal(child(entry, 'title').attributes.type, 'text');
      const parts = [child(entry, 'content').text, item.content_html];
      assert.deepEqual([...(await markupOf(page, parts)).difference(FEED_MARKUP)], [], name);
    }
  });

  test('leave every document and the structured data of pages well-formed', async () => {
    for (const { file, type } of (await readManifest(client)).resources) {
      if (!/\b(json|xml|html)\b/.test(type)) continue;
      const text = await readFile(join(client, file), 'utf8');
      if (/\bjson\b/.test(type)) JSON.parse(text);
      if (/\bxml\b/.test(type)) parseDocument(text);
      if (/\bhtml\b/.test(type)) structuredData(text);
    }
  });

  test('are shown on pages and in /search/, and add no markup to them', async () => {
    const app = await sampleApp();
    const own = (await readPages(await sampleEdition()))
      .filter(({ path }, at) => !REVIEW_PAGE.test(path) || at % 10 === 0)
      .map(({ html }) => html);
    for (const query of ['', 'query=water&limit=5', `query=${'x'.repeat(QUERY_MAX_LENGTH + 1)}`]) {
      own.push(await (await app.request(`${SEARCH_PAGE_PATH}?${query}`)).text());
    }
    const trusted = await markupOf(page, own);
    const pages = await readPages(client);
    const shown = pages.map(({ html }) => html);
    const month = pages.find(({ path }) => path === '/reviews/2026-03/')!;
    for (const { name, text } of HOSTILE_REVIEWS) {
      assert.ok(isShown(month.html, text), `${name} on ${month.path}`);
      const query = new URLSearchParams({ query: text, limit: '100' });
      const html = await (await send(`${SEARCH_PAGE_PATH}?${query}`)).text();
      shown.push(html);
      if (text.length <= QUERY_MAX_LENGTH) assert.ok(isShown(html, text), name);
    }
    assert.deepEqual([...(await markupOf(page, shown)).difference(trusted)], []);
  });

  test('forge no line of the log, wherever a request has room for them', async () => {
    for (const injection of Object.values(INJECTIONS)) {
      for (const asked of requestsWith(injection)) await send(...asked);
    }
    const { lines } = sidecar;
    const requests = () => lines.filter(({ message }) => message === 'request').length;
    await eventually(() => requests() >= answers);
    assert.equal(requests(), answers);
    const forged = lines.filter((line) => 'forged' in line || line.message === 'forged');
    assert.deepEqual(forged, []);
    const errors = lines.filter(({ level }) => level === 'error');
    assert.deepEqual(errors, []);
  });

  test('run no script in a browser that knows no policy, and load nothing', async () => {
    const { origin } = new URL(sidecar.url);
    const findings: string[] = [];
    page.on('dialog', (dialog) => {
      findings.push(`a dialog on ${page.url()}`);
      void dialog.dismiss();
    });
    page.on('request', (asked) => {
      if (new URL(asked.url()).origin !== origin) findings.push(`asked for ${asked.url()}`);
    });
    const searches = HOSTILE_REVIEWS.slice(0, 3).map(
      ({ text }) => `${SEARCH_PAGE_PATH}?${new URLSearchParams({ query: text })}`,
    );
    for (const path of ['/', '/reviews/2026-03/', ...searches]) {
      await page.goto(origin + path, { waitUntil: 'load' });
      assert.equal(await page.locator('[name=forged]').count(), 0, path);
    }
    assert.deepEqual(findings, []);
  });
});

test('hostile words on the card run nothing, forge no link and do not overflow', async (context) => {
  const { client } = await hostileEdition();
  const card = JSON.parse(await readFile(join(client, MCP_APP_PATH), 'utf8')) as AppResource;
  const host = await serveAppHost(context, card);
  const options = { theme: 'light', opensLinks: true, toolResult: { content: [] } } as const;
  await using opened = await openCard(host, options);
  const { view, problems } = opened;
  const shown = await view.locator('body').innerText();
  for (const words of Object.values(ON_THE_CARD)) assert.ok(shown.includes(words), words);
  await assertFits(opened);
  const { base_url } = await readManifest(client);
  for (const link of await view.locator('a').evaluateAll((all) => all.map(String))) {
    assert.ok(link.startsWith(`${base_url}/`) && !link.includes('forged'), link);
  }
  assert.equal(await view.locator('script').count(), 1);
  assert.equal(await view.locator('img, [onclick], [onerror]').count(), 0);
  assert.deepEqual(problems, []);
});

/** Tells if an article of the page shows exactly this text. */
function isShown(html: string, text: string): boolean {
  return elements(html, 'p').some(
    ({ attributes, inner }) => attributes.class === 'text' && textOf(inner) === text,
  );
}

function requestsWith(injection: string): [target: string, options: RequestOptions][] {
  const encoded = encodeURIComponent(injection.toWellFormed());
  const header = injection.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
  const named = {
    ...initialize(),
    params: { clientInfo: { name: injection, version: injection } },
  };
  const called = request('tools/call', { name: injection, arguments: { [injection]: injection } });
  const form = new URLSearchParams({
    'hub.mode': injection,
    'hub.callback': injection,
    'hub.topic': injection,
  });
  const headers = { 'x-request-id': header, 'user-agent': header, referer: header, origin: header };
  const get = (target: string): [string, RequestOptions] => [target, { headers }];
  const post = (target: string, type: string, body: string): [string, RequestOptions] => [
    target,
    { method: 'POST', headers: { ...headers, ...MCP_HEADERS, 'content-type': type }, body },
  ];
  return [
    get(`/${encoded}`),
    get(`${SINCE_PATH}/${encoded}`),
    get(`${SEARCH_PATH}?${encoded}=${encoded}&rating=${encoded}`),
    post(MCP_PATH, 'application/json', JSON.stringify(named)),
    post(MCP_PATH, 'application/json', JSON.stringify(called)),
    post(MCP_PATH, 'application/json', JSON.stringify(request(injection, {}, injection))),
    post(HUB_PATH, 'application/x-www-form-urlencoded', form.toString()),
  ];
}
