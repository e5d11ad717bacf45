import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '../../../src/resources/catalogue.ts';
import { llmsText } from '../../../src/resources/llms.ts';
import {
  HUB_PATH,
  MCP_PATH,
  SEARCH_PAGE_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../../../src/paths.ts';
import { reviewRecord } from '../../../src/schema/review.ts';
import type { Review } from '../../../src/schema/review.ts';
import { QUERY_MAX_LENGTH, type SearchResult } from '../../../src/schema/search.ts';
import type { ReviewsDataset } from '../../../src/schema/dataset.ts';
import { launchChromium } from '../../support/chromium.ts';
import { sampleEdition } from '../../support/edition.ts';
import { eventually } from '../../support/eventually.ts';
import { elements, textOf } from '../../support/html.ts';
import { initialize, MCP_HEADERS, request } from '../../support/mcp.ts';
import { readManifest, readPages, structuredData } from '../../support/pages.ts';
import { child, children, parseDocument } from '../../support/parse-xml.ts';
import { record } from '../../support/reviews.ts';
import { startSidecar, type SidecarProcess } from '../../support/sidecar-process.ts';
import { sampleApp } from '../../support/targets.ts';
import { askOnWire, type WireAnswer, type WireRequest } from '../../support/wire.ts';
import { none, type Family, type Row, type Scale } from '../family.ts';
import { buildHostileEdition, HOSTILE_REVIEWS, type HostileEdition } from '../hostile-edition.ts';
import { INJECTIONS } from '../injections.ts';
import { foreignMarkup, markupOf, type Markup } from '../markup.ts';

/** Injections through every door that data goes out by, and into the log. */
export const injection: Family = { name: 'injection', run };

async function run(scale: Scale): Promise<Row[]> {
  await using edition = await buildHostileEdition();
  const dataDir = await mkdtemp(join(tmpdir(), 'reviews-injection-'));
  const sidecar = await startSidecar({
    EDITION: edition.client,
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'debug',
  });
  try {
    return await new Injection(edition, sidecar).rows(scale);
  } finally {
    sidecar.child.kill('SIGKILL');
    await sidecar.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

class Injection {
  readonly #edition: HostileEdition;
  readonly #sidecar: SidecarProcess;
  /** Answers on the wire; each is one line of the log. */
  #answers = 0;

  constructor(edition: HostileEdition, sidecar: SidecarProcess) {
    this.#edition = edition;
    this.#sidecar = sidecar;
  }

  async rows(scale: Scale): Promise<Row[]> {
    const count = HOSTILE_REVIEWS.length;
    return [
      none(`of ${count} injections, hidden characters that content/ takes`, hiddenTaken()),
      none(`of ${count}, changed in /reviews.json, since, search`, await this.#rest()),
      none('changed in the tools and resources of /mcp', await this.#mcp()),
      none('changed or forged in the feeds', await this.#feeds()),
      none('documents that do not parse', await this.#documents()),
      none('markup in pages and /search/', await this.#pages()),
      none('lines forged in llms.txt', await this.#llms()),
      none('lines forged in the log', await this.#log()),
      none('scripts that ran in Chromium, without the policy of the pages', await this.#ran(scale)),
    ];
  }

  async #rest(): Promise<string[]> {
    const findings: string[] = [];
    const { reviews } = await this.#json<ReviewsDataset>('/reviews.json');
    const all = await this.#json<{ reviews: Review[] }>(`${SINCE_PATH}/1999-01-01`);
    for (const { name, id, text } of this.#edition.reviews) {
      const review = reviews.find((each) => each.id === id);
      const words = [review?.author, review?.title, review?.text, review?.owner_reply?.text];
      if (words.some((word) => word !== text)) findings.push(`${name} in /reviews.json`);
      const query = new URLSearchParams({ query: text.slice(0, QUERY_MAX_LENGTH), limit: '100' });
      const found = await this.#json<{ reviews: Review[] }>(`${SEARCH_PATH}?${query}`);
      for (const [door, listed] of Object.entries({ since: all.reviews, search: found.reviews })) {
        const same = listed.find((each) => each.id === id);
        if (JSON.stringify(same) !== JSON.stringify(review)) findings.push(`${name} in ${door}`);
      }
    }
    return findings;
  }

  async #mcp(): Promise<string[]> {
    const findings: string[] = [];
    const { reviews } = await this.#json<ReviewsDataset>('/reviews.json');
    const call = { name: 'search_reviews', arguments: { limit: 100 } };
    const searched = await this.#ask('tools/call', call);
    const [{ text }] = searched.content as [{ text: string }];
    const answer = JSON.parse(text) as Pick<SearchResult, 'reviews' | 'addresses_machine'>;
    for (const { name, id } of this.#edition.reviews) {
      const isFlagged = answer.addresses_machine?.includes(id) === true;
      if (TO_A_MODEL.has(name) && !isFlagged) findings.push(`${name} is not flagged`);
    }
    if (JSON.stringify(answer.reviews) !== JSON.stringify(reviews)) findings.push('search_reviews');
    for (const review of reviews) {
      const { id } = review;
      const got = await this.#ask('tools/call', { name: 'get_review', arguments: { id } });
      const [{ text }] = got.content as [{ text: string }];
      if (!text.includes(JSON.stringify(review))) findings.push(`get_review ${id}`);
      const read = await this.#ask('resources/read', { uri: `reviews://review/${id}` });
      const [resource] = read.contents as [{ text: string }];
      if (resource.text !== JSON.stringify(review)) findings.push(`reviews://review/${id}`);
    }
    for (const name of await this.#toolsWithoutArguments()) {
      const { content, structuredContent } = await this.#ask('tools/call', { name, arguments: {} });
      const [{ text }] = content as [{ text: string }];
      if (text !== JSON.stringify(structuredContent)) findings.push(name);
    }
    return findings;
  }

  async #toolsWithoutArguments(): Promise<string[]> {
    const { tools } = await this.#ask('tools/list', {});
    return (tools as { name: string; inputSchema: { required?: string[] } }[])
      .filter(({ inputSchema }) => (inputSchema.required ?? []).length === 0)
      .map(({ name }) => name);
  }

  async #feeds(): Promise<string[]> {
    const findings: string[] = [];
    const atom = parseDocument((await this.#get('/feed.xml')).body.toString());
    const entries = children(atom, 'entry');
    const { items } = await this.#json<{ items: JsonItem[] }>('/api/feed.json');
    for (const { name, id, text } of this.#edition.reviews) {
      const entry = entries.find((each) => child(each, 'id').text.includes(id));
      const item = items.find((each) => each.id.includes(id));
      if (entry === undefined || item === undefined) {
        findings.push(`${name} is not in the feeds`);
        continue;
      }
      // An XML parser reads every line break as a line feed.
      if (child(child(entry, 'author'), 'name').text !== text) findings.push(`${name} in Atom`);
      if (item.authors[0]!.name !== text || !item.content_text.includes(text)) {
        findings.push(`${name} in the JSON Feed`);
      }
      for (const html of [
        child(entry, 'content').text,
        child(entry, 'title').text,
        item.content_html,
      ]) {
        findings.push(...foreignMarkup(html, FEED_MARKUP).map((markup) => `${name}: ${markup}`));
      }
    }
    const count = this.#edition.reviews.length;
    if (entries.length !== count || items.length !== count) findings.push('entries were forged');
    return findings;
  }

  /** Every JSON and XML file of the edition, and the structured data of every page. */
  async #documents(): Promise<string[]> {
    const { resources } = await readManifest(this.#edition.client);
    const findings: string[] = [];
    for (const { path, file, type } of resources) {
      const text = await readFile(join(this.#edition.client, file), 'utf8');
      try {
        if (/\bjson\b/.test(type)) JSON.parse(text);
        if (/\bxml\b/.test(type)) parseDocument(text);
        if (/\bhtml\b/.test(type)) structuredData(text);
      } catch (error) {
        findings.push(`${path}: ${(error as Error).message}`);
      }
    }
    return findings;
  }

  async #pages(): Promise<string[]> {
    const trusted = await trustedMarkup();
    const pages = await readPages(this.#edition.client);
    const findings = pages.flatMap(({ path, html }) =>
      foreignMarkup(html, trusted).map((markup) => `${path}: ${markup}`),
    );
    const month = pages.find(({ path }) => path === '/reviews/2026-03/')!;
    for (const { name, text } of this.#edition.reviews) {
      const query = new URLSearchParams({ query: text, limit: '100' });
      const { body } = await this.#get(`${SEARCH_PAGE_PATH}?${query}`);
      const found = foreignMarkup(body.toString(), trusted);
      findings.push(...found.map((markup) => `${name} in /search/: ${markup}`));
      if (!isShown(month.html, text)) findings.push(`${name} is not shown on ${month.path}`);
      if (text.length <= QUERY_MAX_LENGTH && !isShown(body.toString(), text)) {
        findings.push(`${name} is not shown in /search/`);
      }
    }
    return findings;
  }

  async #ran(scale: Scale): Promise<string[]> {
    const origin = new URL(this.#sidecar.url).origin;
    const pages = await readPages(this.#edition.client);
    const paths = scale === 'long' ? pages.map(({ path }) => path) : ['/', '/reviews/2026-03/'];
    const shown = scale === 'long' ? this.#edition.reviews : this.#edition.reviews.slice(0, 3);
    const searches = shown.map(({ text }) => {
      const query = new URLSearchParams({ query: text.slice(0, QUERY_MAX_LENGTH) });
      return `${SEARCH_PAGE_PATH}?${query}`;
    });
    const findings: string[] = [];
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      page.on('dialog', (dialog) => {
        findings.push(`a dialog on ${page.url()}`);
        void dialog.dismiss();
      });
      page.on('request', (asked) => {
        if (new URL(asked.url()).origin !== origin) findings.push(`asked for ${asked.url()}`);
      });
      for (const path of [...paths, ...searches]) {
        await page.goto(origin + path, { waitUntil: 'load' }).catch((error: Error) => {
          findings.push(error.message.split('\n')[0]!);
        });
        const names = await page.locator('[name=forged]').count();
        if (names > 0) findings.push(`an element of an injection on ${path}`);
      }
    } finally {
      await browser.close();
    }
    return findings;
  }

  async #llms(): Promise<string[]> {
    const served = (await this.#get('/llms.txt')).body.toString();
    const dataset = await this.#json<ReviewsDataset>('/reviews.json');
    const lines = (text: string) => text.split(/[\n\r\u0085\u2028\u2029]/).length;
    return Object.entries(INJECTIONS)
      .filter(([, name]) => {
        const business = { ...dataset.business, name, category: name };
        return (
          lines(
            llmsText(
              { baseUrl: 'http://a.example', sidecar: true, dataset: { ...dataset, business } },
              OPERATIONS,
            ),
          ) !== lines(served)
        );
      })
      .map(([name]) => name);
  }

  /** Sends every injection wherever a request has room for it. */
  async #log(): Promise<string[]> {
    for (const injection of Object.values(INJECTIONS)) {
      for (const asked of requestsWith(injection)) await this.#send(asked);
    }
    const { lines } = this.#sidecar;
    const requests = () => lines.filter(({ message }) => message === 'request').length;
    await eventually(() => requests() >= this.#answers);
    const forged = lines.filter((line) => 'forged' in line || line.message === 'forged');
    const findings = forged.map((line) => JSON.stringify(line));
    if (requests() !== this.#answers) {
      findings.push(`${requests()} lines for ${this.#answers} answers`);
    }
    for (const { level, message } of lines) {
      if (level === 'error') findings.push(`an error: ${message}`);
    }
    return findings;
  }

  #get(target: string): Promise<WireAnswer> {
    return this.#send({ method: 'GET', target, headers: {}, body: '' });
  }

  async #json<T>(target: string): Promise<T> {
    const { status, body } = await this.#get(target);
    if (status !== 200) throw new Error(`${status} for ${target}`);
    return JSON.parse(body.toString()) as T;
  }

  async #ask(method: string, params: object): Promise<Record<string, unknown>> {
    const body = JSON.stringify(request(method, params));
    const answer = await this.#send({
      method: 'POST',
      target: MCP_PATH,
      headers: MCP_HEADERS,
      body,
    });
    return (JSON.parse(answer.body.toString()) as { result: Record<string, unknown> }).result;
  }

  async #send(asked: WireRequest): Promise<WireAnswer> {
    const answer = await askOnWire(this.#sidecar.url, asked);
    this.#answers++;
    return answer;
  }
}

interface JsonItem {
  id: string;
  content_html: string;
  content_text: string;
  authors: { name: string }[];
}

/** Injections that are written to the model that reads. */
const TO_A_MODEL = new Set(['order to a model', 'end of a tool result', 'tokens of a chat']);

const FEED_MARKUP = { names: new Set(['p', 'br', 'strong']), scripts: new Set<string>() };

/** Injections with hidden characters that the schema of a review would take. */
function hiddenTaken(): string[] {
  return HOSTILE_REVIEWS.filter(({ name, text }) => {
    const injection = INJECTIONS[name]!;
    const hidden = injection !== text;
    return ['author', 'title', 'text'].some(
      (field) => reviewRecord.safeParse(record({ [field]: injection })).success === hidden,
    );
  }).map(({ name }) => name);
}

/** The markup of the sample edition and of its search page. */
async function trustedMarkup(): Promise<Markup> {
  const pages = (await readPages(await sampleEdition())).map(({ html }) => html);
  const app = await sampleApp();
  for (const query of ['', 'query=water&limit=5', `query=${'x'.repeat(QUERY_MAX_LENGTH + 1)}`]) {
    pages.push(await (await app.request(`${SEARCH_PAGE_PATH}?${query}`)).text());
  }
  return markupOf(pages);
}

/** Tells if an article of the page shows exactly this text. */
function isShown(html: string, text: string): boolean {
  return elements(html, 'p').some(
    ({ attributes, inner }) => attributes.class === 'text' && textOf(inner) === text,
  );
}

function requestsWith(injection: string): WireRequest[] {
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
  const get = (target: string): WireRequest => ({ method: 'GET', target, headers, body: '' });
  const post = (target: string, type: string, body: string): WireRequest => ({
    method: 'POST',
    target,
    headers: { ...headers, ...MCP_HEADERS, 'content-type': type },
    body,
  });
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
